/** Settings of the embedded server. Every commit is on disk before it is acknowledged. */
export function serverSettings(
  socketDir: string,
  processes: number,
): Readonly<Record<string, string>> {
  return {
    listen_addresses: '',
    // Who started it, for a service that finds it unclaimed.
    cluster_name: `${process.pid}`,
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    // One node's database: small, few processes, quick to recover.
    shared_buffers: '64MB',
    max_connections: `${24 + 16 * processes}`,
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    max_wal_size: '256MB',
    io_method: 'sync',
    max_parallel_workers_per_gather: '0',
    jit: 'off',
    huge_pages: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Statements and row values hold what callers said: they stay out of the log.
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    log_line_prefix: '',
  };
}
