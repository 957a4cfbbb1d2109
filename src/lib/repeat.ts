import type { Clock, Timer } from '../ports/clock.ts';

/**
 * Does the work again and again, this long after it has ended each time; it must not reject. Returns what stops that;
 * work that has begun ends by itself.
 */
export function repeat(
  clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>,
  everyMs: number,
  work: () => Promise<void>,
): () => void {
  let isStopped = false;
  let timer: Timer | undefined;
  const wait = (): void => {
    if (!isStopped) timer = clock.setTimeout(() => void work().finally(wait), everyMs);
  };
  wait();
  return () => {
    isStopped = true;
    clock.clearTimeout(timer);
  };
}
