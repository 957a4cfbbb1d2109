import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../ports/log.ts';
import { type ClusterContext, dataArgument } from './cluster.ts';

/**
 * Becomes the server, after starting a watcher that stops it when this process's end of its standard input closes: a
 * killed service takes its database with it. The double fork keeps the watcher from being a child of the server.
 */
export const LAUNCHER = `exec 3<&0
( { while read -r _ <&3; do :; done; kill -INT $$ 2>&-; } </dev/null >/dev/null 2>&1 & )
exec "$@" </dev/null 3<&-`;

const FAST_MS = 8_000;
const IMMEDIATE_MS = 4_000;
const POLL_MS = 20;
const KEPT_LINES = 10;

/** One run of the server. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  /** Resolves with the server's last output when it has exited. */
  readonly exited: Promise<string>;
  #gone = false;

  constructor(context: ClusterContext, socketDir: string, logger: Log) {
    const settings = Object.entries(serverSettings(socketDir, context.processes));
    const server = [
      context.binaries.postgres,
      ...['-D', dataArgument(context, context.clusterDir)],
      ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ];
    const { account } = context;
    this.#child = spawn('/bin/sh', ['-c', LAUNCHER, 'sh', ...server], {
      cwd: context.clusterDir,
      env: { LC_ALL: 'C' },
      stdio: ['pipe', 'ignore', 'pipe'],
      // In a session of its own, so that a Ctrl-C in the terminal does not reach the server, which is needed while
      // calls drain.
      detached: true,
      ...(account ? { uid: account.uid, gid: account.gid } : {}),
    });
    // The server's exit closes the other end.
    this.#child.stdin?.on('error', () => undefined);
    this.exited = new Promise((resolve) => {
      const settle = (why: string) => {
        this.#gone = true;
        this.#child.stdin?.destroy();
        resolve(
          this.#lines.findLast((line) => /^(FATAL|PANIC)/.test(line)) ?? this.#lines.at(-1) ?? why,
        );
      };
      this.#child.once('error', (error) => settle(error.message));
      this.#child.once('close', (code, signal) => settle(`exit ${signal ?? code}`));
    });
    if (this.#child.stderr) {
      createInterface({ input: this.#child.stderr }).on('line', (line) => this.#log(line, logger));
    }
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get running(): boolean {
    return !this.#gone;
  }

  /** Stops the server; kills it if it does not exit in time. */
  async stop(): Promise<void> {
    const { pid } = this.#child;
    this.#child.stdin?.end();
    if (pid !== undefined && !this.#gone) await endServer(pid);
    await this.exited;
  }

  #log(line: string, logger: Log): void {
    this.#lines.push(line);
    if (this.#lines.length > KEPT_LINES) this.#lines.shift();
    if (line.startsWith('PANIC')) logger.error({ line }, 'embedded database panicked');
    else if (line.startsWith('WARNING')) logger.warn({ line }, 'embedded database warned');
    else logger.debug({ line }, 'embedded database');
  }
}

/** Stops a server by its process id, with increasingly forceful signals; resolves when it has exited. */
export async function endServer(pid: number): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', FAST_MS],
    ['SIGQUIT', IMMEDIATE_MS],
    ['SIGKILL', IMMEDIATE_MS],
  ] as const) {
    if (!send(pid, signal)) return;
    const giveUpAt = performance.now() + patienceMs;
    while (performance.now() < giveUpAt) {
      if (!send(pid, 0)) return;
      await delay(POLL_MS);
    }
  }
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Settings of the embedded server; every commit is on disk before it is acknowledged. */
function serverSettings(socketDir: string, processes: number): Readonly<Record<string, string>> {
  return {
    listen_addresses: '',
    // Id of the process that started it, for services that find it unclaimed.
    cluster_name: `${process.pid}`,
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    // For one node: small, with few processes and quick recovery.
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
    // Statements and row values contain what callers have said, so they must not be logged.
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    log_line_prefix: '',
  };
}
