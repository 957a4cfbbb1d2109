import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { processTree } from '../process-tree.ts';

const run = promisify(execFile);

const FIRST = '0';
const OTHERS = `1-${availableParallelism() - 1}`;

/** Keeps a process, with its threads, off the first core (Linux). */
export async function pinToOthers(pid: number | undefined): Promise<void> {
  await run('taskset', ['-a', '-c', '-p', OTHERS, String(pid)]);
}

/**
 * Gives the thread of the calls the first core, and the process's other threads (V8's, for one) and the processes that
 * it has started (its database) the others (Linux).
 */
export async function pinService(pid: number | undefined): Promise<void> {
  for (const one of processTree(pid ?? 0)) await pinToOthers(one.pid);
  await pinThread(pid);
}

/** Keeps the thread of the calls, and the threads and processes that it starts from now on, to the first core (Linux). */
export async function pinThread(pid: number | undefined): Promise<void> {
  await run('taskset', ['-c', '-p', FIRST, String(pid)]);
}

/** Gives a process, and all that it has started, the first core for everything they do (Linux). */
export async function pinTree(pid: number): Promise<void> {
  for (const one of processTree(pid))
    await run('taskset', ['-a', '-c', '-p', FIRST, String(one.pid)]);
}
