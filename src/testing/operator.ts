import type { CallCommand } from '../engine/machine/commands.ts';
import type { TimedEvent } from '../simulation/parts.ts';

const RINGS_MS = 500;
const ANSWERS_MS = 3_000;
const ACCEPTS_MS = 4_000;
/** How long caller and operator talk. */
const TALKS_MS = 1_000;

/** What follows the commands of a transfer where an operator answers and takes the call. */
export function operatorWhoAccepts(command: CallCommand): readonly TimedEvent[] {
  if (command.type === 'leg.dial') {
    const { legId } = command;
    return [
      { afterMs: RINGS_MS, event: { type: 'operator.ringing', legId } },
      { afterMs: ANSWERS_MS, event: { type: 'operator.answered', legId } },
      { afterMs: ACCEPTS_MS, event: { type: 'operator.accepted', legId } },
    ];
  }
  if (command.type !== 'leg.bridge') return [];
  return [{ afterMs: TALKS_MS, event: { type: 'operator.hungUp', legId: command.legId } }];
}
