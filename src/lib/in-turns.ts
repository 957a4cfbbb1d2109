import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from './steps.ts';

/** Does the steps one by one, between which calls are served. */
export async function finishInTurns<Result>(steps: Steps<Result>): Promise<Result> {
  let step = steps.next();
  for (; !step.done; step = steps.next()) await nextTurn();
  return step.value;
}
