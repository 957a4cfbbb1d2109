import { expect, test } from 'vitest';
import { CallHarness, type World } from '../support/call-harness.ts';

const LONG = 'Our shop is open from nine in the morning until six in the evening on every day.';

/** The assistant reads a long welcome, one word every 300 ms from 100 ms on. */
const reading = (world: World = {}) =>
  new CallHarness({
    ...world,
    settings: {
      callType: 'phone',
      welcome: { message: LONG, mode: 'assistant-speaks-first', interruptible: true },
    },
  }).answer();

test('[B5] [B6] a held reply does not go on while the caller makes another sound', () => {
  const call = reading();
  call.voice(2000, 300);
  call.voice(2700, 1500);
  call.runTo(8000);
  expect(call.of('play.hold').map(({ at }) => at)).toEqual([2200]);
  expect(call.of('play.release').map(({ at }) => at > 4200)).toEqual([true]);
});

test('[B10] [H1] a far end that has stopped something it was never given changes nothing', () => {
  const call = reading({ model: () => 'Sure.' });
  call.says(2000, 'I only want to know your address.');
  while (call.of('play.clear').length === 0) call.runTo(call.now + 10);
  call.at(call.now + 1, { type: 'play.cleared', uttId: 99, playedMs: 100 });
  call.runTo(9000);
  expect(call.transcript).toEqual([
    'assistant: Our shop is open from nine in',
    'user: I only want to know your address.',
    'assistant: Sure.',
  ]);
});

test('[B14] who speaks from the first moment of what the API asked to say was done before', () => {
  const call = new CallHarness({
    settings: {
      callType: 'phone',
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
    },
    model: () => 'Sure.',
  }).answer();
  const end = call.says(1000, 'I want to book a table.');
  call.at(end + 3000, { type: 'control.say', text: LONG });
  call.says(end + 3200, 'For two people.');
  call.runTo(end + 9000);
  expect(call.transcript).toEqual([
    'user: I want to book a table.',
    'assistant: Sure.',
    'assistant: Our',
    'user: For two people.',
    'assistant: Sure.',
  ]);
});
