import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from './steps.ts';

const TURN_MS = 3;

/**
 * Does the steps for a few ms at a time, between which calls are served: where there are many, a turn may take longer
 * than a step.
 */
export async function finishInTurns<Result>(steps: Steps<Result>): Promise<Result> {
  let until = performance.now() + TURN_MS;
  let step = steps.next();
  for (; !step.done; step = steps.next()) {
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + TURN_MS;
  }
  return step.value;
}
