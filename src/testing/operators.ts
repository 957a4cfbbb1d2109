import type { AssistantTest, OperatorOutcome } from '../contract/assistant-test.ts';
import type { CallCommand } from '../engine/machine/commands.ts';
import type { CallEvent } from '../engine/machine/events.ts';
import type { CommandOf, TimedEvent } from '../simulation/parts.ts';

/** From the dialling on. */
export const RINGS_MS = 500;
export const ANSWERS_MS = 3_000;
const DECIDES_MS = 4_000;
/** How long caller and operator talk. */
const TALKS_MS = 1_000;

/** What each operator does who is dialled, one after the other: the last of these again and again. */
export function outcomesOf({
  operator = 'answered',
}: Pick<AssistantTest, 'operator'>): () => OperatorOutcome {
  const list = Array.isArray(operator) ? operator : [operator];
  let dialled = 0;
  return () => list[Math.min(dialled++, list.length - 1)] ?? 'answered';
}

/** What follows the commands of transfers, where operators do this. */
export function operatorsWho(
  next: () => OperatorOutcome,
): (command: CallCommand) => readonly TimedEvent[] {
  return (command) => {
    if (command.type === 'leg.dial') return dial(command, next());
    if (command.type !== 'leg.bridge') return [];
    return [{ afterMs: TALKS_MS, event: { type: 'operator.hungUp', legId: command.legId } }];
  };
}

function dial(
  { legId, timeoutMs, mode }: CommandOf<'leg.dial'>,
  outcome: OperatorOutcome,
): readonly TimedEvent[] {
  const then = (afterMs: number, event: CallEvent): TimedEvent => ({ afterMs, event });
  const failed = (afterMs: number, reason: 'busy' | 'no-answer' | 'line-error') =>
    then(afterMs, { type: 'operator.failed', legId, reason, code: reason });
  const ringing = then(RINGS_MS, { type: 'operator.ringing', legId });
  const answered = then(ANSWERS_MS, { type: 'operator.answered', legId });
  switch (outcome) {
    case 'busy':
    case 'line-error':
      return [failed(RINGS_MS, outcome)];
    case 'no-answer':
      // As a carrier tells it, which was asked to ring for so long.
      return [ringing, failed(timeoutMs - 1, outcome)];
    case 'answered':
      return [ringing, answered, then(DECIDES_MS, { type: 'operator.accepted', legId })];
    case 'declined':
    case 'voicemail': {
      // Nobody asks whether they take a call that is announced: who declines hangs up.
      const hangsUp = mode === 'announced' && outcome === 'declined';
      return [
        ringing,
        answered,
        then(
          DECIDES_MS,
          hangsUp
            ? { type: 'operator.hungUp', legId }
            : { type: 'operator.declined', legId, reason: outcome },
        ),
      ];
    }
  }
}
