/**
 * Settings of the C library's allocator on Linux (mallopt(3)). By default it raises both bounds to the largest piece that
 * was ever freed, up to 32 MiB: after some bodies of a megabyte, pieces of that size are cut from its heaps and stay
 * there. At their first values, each is a mapping of its own, which is given back.
 * @type {Readonly<Record<string, string>>}
 */
export const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };

/** Starts this process anew with these settings, which are read before anything else, unless it has any or cannot. */
export function applyAllocatorSettings() {
  const isSet = Object.keys(process.env).some((name) => name.startsWith('MALLOC_'));
  // A process that another one talks to would lose its channel.
  if (process.platform !== 'linux' || isSet || process.channel) return;
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  try {
    process.execve?.(process.execPath, args, { ...process.env, ...ALLOCATOR });
  } catch {
    // Not allowed here: more memory is kept after a rush.
  }
}
