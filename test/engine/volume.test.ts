import { describe, expect, test } from 'vitest';
import { CallHarness } from '../support/call-harness.ts';

function asking(...changes: readonly string[]): CallHarness {
  const call = new CallHarness({
    settings: {
      volumeControl: true,
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
    },
    model: (_text, n) =>
      n % 2 === 0
        ? {
            calls: [
              {
                id: `v${n}`,
                name: 'volumeControl',
                args: JSON.stringify({ change: changes[n / 2] }),
              },
            ],
          }
        : 'Is that better?',
  }).answer();
  let at = 1000;
  for (const _change of changes) at = call.says(at, 'Could you speak up, please?') + 6000;
  return call.runTo(at);
}

const gains = (call: CallHarness) => call.of('play.volume').map(({ gainDb }) => gainDb);

describe('the volume of the assistant', () => {
  test('follows the wish of the caller, step by step, and back', () => {
    expect(gains(asking('louder', 'louder', 'softer', 'normal'))).toEqual([4, 8, 4, 0]);
  });

  test('has bounds, and the model is told', () => {
    const call = asking('louder', 'louder', 'louder', 'louder');
    expect(gains(call)).toEqual([4, 8, 12]);
    expect(JSON.stringify(call.context)).toContain('already as loud as it goes');
    expect(call.spoken).toHaveLength(4);
    const soft = asking('softer', 'softer', 'softer', 'softer');
    expect(gains(soft)).toEqual([-4, -8, -12]);
    expect(JSON.stringify(soft.context)).toContain('already as soft as it goes');
  });

  test('is not changed by a wish that makes no sense', () => {
    const call = asking('purple');
    expect(gains(call)).toEqual([]);
    expect(JSON.stringify(call.context)).toContain('must be louder');
  });

  test('is offered to the model only where the assistant has it', () => {
    const offered = (volumeControl: boolean) => {
      const call = new CallHarness({ settings: { volumeControl } }).answer();
      call.says(3000, 'What is the time?');
      call.runTo(6000);
      return call.of('llm.start')[0]?.tools;
    };
    expect(offered(true)).toMatchObject([
      { name: 'volumeControl', strict: true, parameters: { additionalProperties: false } },
    ]);
    expect(offered(false)).toEqual([]);
  });
});
