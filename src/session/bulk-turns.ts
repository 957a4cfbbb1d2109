import type { Clock } from '../ports/clock.ts';

/** The shortest timer that there is. */
const TURN_MS = 1;
const tails = new WeakMap<Clock, Promise<void>>();

/**
 * Resolves when work that came in bulk may go on: in a later turn of the loop, and in one in which no other call's bulk
 * goes on. Calls on one clock wait for one another, those on virtual clocks for nobody else.
 */
export function nextBulkTurn(clock: Clock): Promise<void> {
  const before = tails.get(clock) ?? Promise.resolve();
  const turn = before.then(
    () => new Promise<void>((resolve) => clock.setTimeout(resolve, TURN_MS)),
  );
  tails.set(clock, turn);
  return turn;
}
