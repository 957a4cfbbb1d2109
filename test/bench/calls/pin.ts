import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Gives a process, with its threads, the first core or all the others (Linux). What it has started before, a
 * database for one, keeps its place.
 */
export async function pin(pid: number | undefined, where: 'first' | 'others'): Promise<void> {
  const cores = where === 'first' ? '0' : `1-${availableParallelism() - 1}`;
  await run('taskset', ['-a', '-c', '-p', cores, String(pid)]);
}
