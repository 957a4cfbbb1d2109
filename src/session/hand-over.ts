import type { Call } from '../engine/machine/call.ts';
import type { Clock } from '../ports/clock.ts';
import type { Playout } from './outbound/playout.ts';

export interface Leaving {
  /** Clock instant from which on the call is taken as it is. */
  readonly untilMs: number;
  /** True if it is this call's turn to leave; asked until it is. */
  readonly mayLeave: () => boolean;
}

interface Moving extends Leaving {
  readonly clock: Clock;
  readonly isOver: () => boolean;
}

const LOOK_MS = 20;
/** The longest that a call which cannot wait any more waits for the end of a word. */
const WORD_MS = 1500;

/**
 * Resolves at a moment at which another process can go on with the call and nothing is lost or said twice: the caller
 * is silent, nobody works on an answer, and the assistant has just ended a word. Its sound is paused then.
 */
export async function momentToMove(
  call: Call,
  playout: Pick<Playout, 'pause' | 'unpause' | 'hasPaused'>,
  { clock, untilMs, isOver, mayLeave }: Moving,
): Promise<void> {
  let isItsTurn = false;
  const hasTurn = () => {
    isItsTurn ||= clock.now() >= untilMs || mayLeave();
    return isItsTurn;
  };
  const mayMove = () => clock.now() >= untilMs || isAtRest(call);
  const look = () => new Promise<void>((resolve) => clock.setTimeout(resolve, LOOK_MS));
  for (;;) {
    while (!isOver() && !(mayMove() && hasTurn())) await look();
    playout.pause();
    while (!isOver() && mayMove() && !playout.hasPaused() && clock.now() < untilMs + WORD_MS)
      await look();
    if (isOver() || mayMove()) return;
    playout.unpause();
  }
}

/** True if all that the call has under way would go on in another process, as the talk of caller and operator does. */
function isAtRest({ view, state: { user, assistant, tools, transfer } }: Call): boolean {
  const { reply } = assistant;
  if (view.lifecycle === 'forwarded') return true;
  return (
    view.lifecycle === 'ongoing' &&
    view.user === 'silent' &&
    !user.turn &&
    user.keys === '' &&
    !assistant.draft &&
    !assistant.supervisor &&
    (!reply || (reply.text.name === 'complete' && reply.phase.name !== 'cut')) &&
    tools.awaited.length === 0 &&
    tools.async.length === 0 &&
    !transfer.current &&
    !transfer.requested
  );
}
