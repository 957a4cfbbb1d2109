import { parentPort } from 'node:worker_threads';
import type { ThreadMessage } from './compute-pool.ts';
import { yieldToOthers } from './yield-to-others.ts';

/** Handles the tasks of a `ComputePool` on the calling thread. An error thrown by `answer` is sent as the answer. */
export function answerTasks<Task, Result>(answer: (task: Task) => Result | Promise<Result>): void {
  const port = parentPort;
  if (!port) throw new Error('no thread of a pool');
  yieldToOthers();
  const usedMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const send = (message: ThreadMessage) => port.postMessage(message);
  port.on('message', async (task: Task) => {
    try {
      const result = await answer(task);
      send({ kind: 'done', result, usedMs: usedMs() });
    } catch (error) {
      const detail = error instanceof Error ? `${error.stack}` : String(error);
      send({ kind: 'failed', detail, usedMs: usedMs() });
    }
  });
  send({ kind: 'ready', usedMs: usedMs() });
}
