import type { JournalLine } from '../../src/ports/journal.ts';
import { CallHarness, type World } from './call-harness.ts';

const LOOK_UP = {
  definition: { name: 'look_up', description: 'Looks for a table', parameters: { type: 'object' } },
  async: false,
  readOnly: true,
  timeoutMs: 20_000,
  lines: [],
};

/** The journal of a call with three turns, the second of which needs a tool. */
export function recordedConversation(world: World = {}): readonly JournalLine[] {
  let looked = false;
  const call = new CallHarness({
    settings: { tools: [LOOK_UP] },
    model: (text) => {
      if (text.includes('open')) return 'We open at nine.';
      if (!text.includes('table')) return 'You are welcome.';
      if (looked) return 'There is one at eight.';
      looked = true;
      return { calls: [{ id: 'look', name: 'look_up', args: '{"day":"Friday"}' }] };
    },
    tool: () => ({ afterMs: 900, result: 'a table for two' }),
    ...world,
  });
  call.answer();
  call.says(2500, 'When do you open?');
  call.says(7000, 'Is there a table on Friday?');
  call.says(14_000, 'Thank you very much.');
  call.at(20_000, { type: 'remote.hangup' });
  return call.runTo(25_000).journal;
}
