/**
 * Settings of the C library's allocator on Linux (mallopt(3)). By default it raises both bounds to the largest piece that
 * was ever freed, up to 32 MiB: after some bodies of a megabyte, pieces of that size are cut from its heaps and stay
 * there. At their first values, each is a mapping of its own, which is given back.
 * @type {Readonly<Record<string, string>>}
 */
export const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };

/**
 * V8 keeps some 30 MiB of the heaps of threads that have ended, for threads to come. With this flag it does not; it is read
 * from the command line alone, and versions that do not know it would not start.
 * @type {readonly string[]}
 */
export const HEAP_FLAGS = /^14\.([6-9]|\d\d)\./.test(process.versions.v8)
  ? ['--no-memory-pool-share-memory-on-teardown']
  : [];

/** Starts this process anew with these settings, which are read before anything else, unless it has them or cannot. */
export function applyAllocatorSettings() {
  const isSet = Object.keys(process.env).some((name) => name.startsWith('MALLOC_'));
  const flags = HEAP_FLAGS.filter((flag) => !process.execArgv.includes(flag));
  // A process that another one talks to would lose its channel.
  if (process.platform !== 'linux' || process.channel || (isSet && flags.length === 0)) return;
  const args = [process.execPath, ...process.execArgv, ...flags, ...process.argv.slice(1)];
  try {
    process.execve?.(
      process.execPath,
      args,
      isSet ? process.env : { ...process.env, ...ALLOCATOR },
    );
  } catch {
    // Not allowed here: more memory is kept after a rush.
  }
}
