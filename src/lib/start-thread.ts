import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { type ResourceLimits, Worker } from 'node:worker_threads';

export interface ThreadOptions {
  readonly workerData?: unknown;
  readonly limits?: ResourceLimits;
  /** Keeps what the thread writes to its standard error out of the log. */
  readonly quiet?: boolean;
}

const QUICK_RESOLVE = new URL('./quick-resolve.ts', import.meta.url).href;

/** Starts a thread with a module of the service, without the environment, which contains secrets. */
export function startThread(
  entry: URL,
  { workerData, limits, quiet = false }: ThreadOptions = {},
): Worker {
  return new Worker(entry, {
    env: codeCacheEnvironment(),
    execArgv: ['--import', QUICK_RESOLVE],
    stderr: quiet,
    ...(workerData === undefined ? {} : { workerData }),
    ...(limits ? { resourceLimits: limits } : {}),
  });
}

/** The environment in which a thread or a process finds the code that this one has compiled. */
export function codeCacheEnvironment(): Record<string, string> {
  const dir = getCompileCacheDir();
  // Node adds a subfolder for its version to the configured folder.
  return dir === undefined ? {} : { NODE_COMPILE_CACHE: dirname(dir) };
}
