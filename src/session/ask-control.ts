import type { ControlEvent } from '../contract/control.ts';
import { CONTROL_EVENTS } from '../engine/machine/control.ts';
import type { ControlOutcome } from '../ports/call-control.ts';
import type { CallRunner } from './call-runner.ts';
import type { JournalWriter } from './record/journal-writer.ts';

/**
 * Gives a control request to the machine, and finds its answer among the commands. With a journal, what was accepted is
 * stored before the answer, as far as the store can be reached, so that the process that takes the call over knows of it.
 */
export async function askControl(
  runner: Pick<CallRunner, 'ask'>,
  event: ControlEvent,
  journal?: Pick<JournalWriter, 'ownsCall'>,
): Promise<ControlOutcome> {
  // A node of another version may ask for more than this one knows.
  if (!Object.hasOwn(CONTROL_EVENTS, event.type))
    return { outcome: 'refused', reason: 'the call cannot do that' };
  for (const answer of await runner.ask(event)) {
    if (answer.type === 'control.accepted')
      return { outcome: (await journal?.ownsCall()) === false ? 'not-live' : 'accepted' };
    if (answer.type === 'control.refused') return { outcome: 'refused', reason: answer.reason };
  }
  return { outcome: 'not-live' };
}
