import { describe, expect, test } from 'vitest';
import { findDifferences, replayJournal } from '../../src/engine/machine/replay.ts';
import type { CallSettings } from '../../src/engine/settings/settings.ts';
import { CallHarness, type World } from '../support/call-harness.ts';

/** A call that we place. */
const placed = (mode: CallSettings['welcome']['mode'] = 'automatic', world: World = {}) =>
  new CallHarness({
    ...world,
    settings: {
      callType: 'phone',
      direction: 'outbound',
      welcome: { message: 'Hello, this is the shop.', mode, interruptible: true },
      ...world.settings,
    },
  }).answer();

const MAILBOX = "You have reached Anna. I can't come to the phone. Please leave a message.";
const MESSAGE = 'Sorry to have missed you. We will try again later. Goodbye.';

describe('a called party', () => {
  test('[V1] who speaks at length is heard out, and is greeted as a human', () => {
    const call = placed();
    const end = call.says(500, 'Good morning, this is Anna Miller of Miller and Sons, hello?');
    call.runTo(12_000);
    expect(end).toBeGreaterThan(500 + 2500);
    expect(call.farEnd.heard[0]?.from).toBeGreaterThan(end);
    expect(call.farEnd.heard[0]?.from).toBeLessThan(end + 1500);
    expect(call.transcript).toEqual([
      'user: Good morning, this is Anna Miller of Miller and Sons, hello?',
      'assistant: Hello, this is the shop.',
    ]);
    expect(call.of('llm.start')).toEqual([]);
    // And from then on it is a call like any other.
    call.says(13_000, 'What do you want of me, may I ask?');
    call.runTo(20_000);
    expect(call.transcript.at(-1)).toBe('assistant: All right.');
  });

  test('[V1] who is waited for answers by what they say', () => {
    const call = placed('assistant-waits-for-user');
    call.says(500, 'Good morning, this is Anna Miller of Miller and Sons, what can I do?');
    call.runTo(10_000);
    expect(call.transcript.at(-1)).toBe('assistant: All right.');
  });

  test.each(['automatic', 'assistant-speaks-first', 'assistant-waits-for-user'] as const)(
    '[V1] [V2] that is a machine (%s) gets a message after its own, and a hang-up',
    (mode) => {
      const call = placed(mode, { voiceMs: 400 });
      const end = call.says(100, MAILBOX);
      call.runTo(30_000);
      expect(call.spoken).toEqual([MESSAGE]);
      expect(call.farEnd.heard[0]?.from).toBeGreaterThanOrEqual(end + 1500);
      expect(call.of('finish')).toMatchObject([{ endReason: 'voicemail', trigger: 'assistant' }]);
      expect(call.of('llm.start')).toEqual([]);
      expect(findDifferences(replayJournal(call.journal))).toEqual([]);
    },
  );

  test('[V2] a beep is not waited past', () => {
    const call = placed();
    const end = call.says(100, MAILBOX);
    call.at(end + 600, { type: 'beep' }).runTo(30_000);
    expect(call.of('tts.start').at(-1)).toMatchObject({ text: MESSAGE, at: end + 600 });
  });

  test('[V2] one that says nothing machines are known by gives itself away by its beep', () => {
    const call = placed();
    const end = call.says(
      100,
      'This is the office of Miller and Sons, we are away until Monday morning.',
      { ms: 4000 },
    );
    call.at(end - 50, { type: 'beep' }).runTo(30_000);
    expect(call.spoken).toEqual([MESSAGE]);
  });

  test('[V2] a machine without end is spoken to after half a minute', () => {
    const call = placed();
    call.says(100, MAILBOX, { ms: 60_000 });
    call.runTo(50_000);
    expect(call.spoken).toEqual([MESSAGE]);
    expect(call.of('finish')).toHaveLength(1);
  });

  test('[V1] talk without a pause for twenty seconds is no human', () => {
    const call = placed();
    call.says(100, 'lorem ipsum '.repeat(60).trim(), { ms: 40_000 });
    call.runTo(80_000);
    expect(call.spoken).toEqual([MESSAGE]);
  });

  test('[V1] who calls us is never taken for a machine', () => {
    const call = new CallHarness({ settings: { callType: 'phone' } }).answer();
    call.says(2000, 'I want to leave a message for the manager.');
    call.runTo(12_000);
    expect(call.transcript.at(-1)).toBe('assistant: All right.');
  });
});

describe('on hold', () => {
  const settings = { idle: { timeoutMs: 5000, maxMessages: 1, messages: ['Still there?'] } };

  test('[V2] who asks us to hold gets silence, and six times the patience', () => {
    const call = placed('assistant-waits-for-user', { settings });
    const end = call.says(1000, 'One second, please hold.');
    call.runTo(end + 29_000);
    expect(call.spoken).toEqual([]);
    call.runTo(end + 33_000);
    expect(call.spoken).toEqual(['Still there?']);
  });

  test('[V2] whoever comes back is answered', () => {
    const call = placed('assistant-waits-for-user', { settings });
    const end = call.says(1000, 'Your call is important to us, please hold.');
    call.says(end + 20_000, 'Thank you for waiting, how can I help?');
    call.runTo(end + 28_000);
    expect(call.transcript.at(-1)).toBe('assistant: All right.');
  });

  test('[V2] a hold that nobody comes back from is over after five minutes', () => {
    const patient = { idle: { ...settings.idle, timeoutMs: 100_000 } };
    const call = placed('assistant-waits-for-user', { settings: patient });
    const end = call.says(1000, 'One second, please hold.');
    call.runTo(end + 390_000);
    expect(call.spoken).toEqual([]);
    call.runTo(end + 405_000);
    expect(call.spoken).toEqual(['Still there?']);
  });

  test('[V2] five minutes after a hold that is over nobody is waited for anew', () => {
    const patient = { idle: { ...settings.idle, timeoutMs: 350_000 } };
    const call = placed('assistant-waits-for-user', { settings: patient });
    const end = call.says(1000, 'One second, please hold.');
    call.says(end + 20_000, 'Thank you for waiting, how can I help?');
    call.runTo(end + 365_000);
    expect(call.spoken).toEqual(['All right.']);
    call.runTo(end + 385_000);
    expect(call.spoken).toEqual(['All right.', 'Still there?']);
  });

  test('[V2] music is not asked what it said', () => {
    const call = placed('assistant-waits-for-user', { settings });
    call.voice(1000, 9000);
    call.runTo(14_000);
    expect(call.spoken).toEqual([]);
  });
});
