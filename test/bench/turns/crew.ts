import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Done, Work } from './work.ts';

/** Does all the work on so many threads, and returns it in any order. */
export async function doAll(work: readonly Work[], threads: number): Promise<Done[]> {
  const left = [...work];
  const done: Done[] = [];
  const run = async () => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url));
    try {
      for (let next = left.shift(); next; next = left.shift()) {
        worker.postMessage(next);
        const [result] = (await once(worker, 'message')) as [Done];
        done.push(result);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(threads, work.length) }, run));
  return done;
}
