import { describe, expect, test } from 'vitest';
import { CallHarness, type World } from '../support/call-harness.ts';

const LONG = 'Our shop is open from nine in the morning until six in the evening on every day.';

const interrupted = (words: string, world: World = {}, plan = {}) => {
  const call = new CallHarness({
    ...world,
    settings: {
      callType: 'phone',
      welcome: { message: LONG, mode: 'assistant-speaks-first', interruptible: true },
      interruptionAck: { enabled: true, count: 2, words: 6, phrases: ['Sure.', 'Okay.'], ...plan },
      ...world.settings,
    },
  }).answer();
  call.says(1200, words);
  return call;
};

describe('userInterruptionAckPlan', () => {
  test('an early interruption that is nothing but "wait" is acknowledged at the first pause', () => {
    const call = interrupted('Wait.');
    call.runTo(9000);
    expect(call.spoken.slice(1)).toEqual(['Sure.', 'All right.']);
    expect(call.of('llm.start')).toHaveLength(1);
  });

  test('so is one in which the caller is plainly not done', () => {
    const call = interrupted('I would like to know the');
    call.says(4400, 'address please.');
    call.runTo(12_000);
    expect(call.spoken.slice(1)).toEqual(['Sure.', 'All right.']);
    expect(call.messages.filter(({ role }) => role === 'user')).toEqual([
      { role: 'user', text: 'I would like to know the address please.' },
    ]);
  });

  test('a complete question is answered without it', () => {
    const call = interrupted('What is the address?');
    call.runTo(9000);
    expect(call.spoken.slice(1)).toEqual(['All right.']);
  });

  test('unless the answer is long in coming', () => {
    const call = interrupted('What is the address?', { modelMs: 3000 });
    call.runTo(12_000);
    expect(call.spoken.slice(1)).toEqual(['Sure.', 'All right.']);
    const committed = call.of('llm.start')[0]?.at ?? 0;
    expect(call.of('tts.start').find(({ text }) => text === 'Sure.')?.at).toBe(committed + 800);
  });

  test.each([
    ['switched off', { enabled: false }],
    ['used up', { count: 0 }],
    ['no longer early', { words: 2 }],
  ])('not when it is %s', (_why, plan) => {
    const call = interrupted('Wait.', {}, plan);
    call.runTo(9000);
    expect(call.spoken).not.toContain('Sure.');
  });
});

test('[Y1] what is to be said outlives a turn that comes before it', () => {
  const call = new CallHarness({
    voiceMs: 600,
    settings: { welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true } },
  }).answer();
  call.at(1000, { type: 'control.say', text: 'A notice.' });
  call.says(1200, 'Is it open?');
  call.runTo(9000);
  expect(call.spoken).toEqual(['A notice.', 'All right.']);
});
