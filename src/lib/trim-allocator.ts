import type { Worker } from 'node:worker_threads';
import { startThread } from './start-thread.ts';

const TRIM_MS = 5_000;

/**
 * Gives back to the system what the C library's allocator holds free between pieces in use (malloc_trim(3)), on a thread
 * of its own. Resolves with false where that cannot be done: another library than glibc, or a Node without `node:ffi`.
 */
export async function trimAllocator(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  let thread: Worker;
  try {
    // Its warning that the module is experimental is nobody's concern here.
    thread = startThread(new URL('./trim-thread.ts', import.meta.url), { quiet: true });
  } catch {
    // The system has no thread left, and no memory to give back is worth the calls of this process.
    return false;
  }
  return new Promise((resolve) => {
    const timer = setTimeout(() => void thread.terminate(), TRIM_MS);
    let isTrimmed = false;
    thread.once('message', () => {
      isTrimmed = true;
    });
    thread.once('error', () => undefined);
    thread.once('exit', () => {
      clearTimeout(timer);
      resolve(isTrimmed);
    });
    thread.unref();
  });
}
