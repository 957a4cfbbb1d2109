import { describe, expect, test } from 'vitest';
import { guessWordTimes } from '../../src/engine/reply/guessed-times.ts';
import { CallHarness, type World } from '../support/call-harness.ts';
import fc from '../support/properties.ts';

const LONG = 'Our shop is open from nine in the morning until six in the evening on every day.';

/** A voice without word times reads a long welcome, one word every 300 ms from 100 ms on. */
const reading = (message = LONG, world: World = {}) =>
  new CallHarness({
    wordTimes: false,
    ...world,
    settings: {
      callType: 'phone',
      welcome: { message, mode: 'assistant-speaks-first', interruptible: true },
      ...world.settings,
    },
  }).answer();

const echo = (text: string, startAt: number, endAt: number) =>
  ({ type: 'stt.interim', segId: 'e', text, startAt, endAt, conf: 0.6 }) as const;

describe('word times that a voice does not tell', () => {
  test('[C9] are guessed by the lengths of the words, over the sound', () => {
    const words = guessWordTimes('So we open, at nine.', 2400);
    expect(words.map(({ word }) => word)).toEqual(['so', 'we', 'open', 'at', 'nine']);
    expect(words.map(({ startMs }) => startMs)).toEqual([0, 400, 800, 1400, 1800]);
    expect(words.map(({ marginMs }) => Math.round(marginMs))).toEqual([350, 370, 340, 250, 190]);
  });

  test('[C9] are guessed at the usual pace while the length of the sound is not known', () => {
    const words = guessWordTimes('So we open, at nine.', undefined);
    expect(words.map(({ startMs }) => Math.round(startMs))).toEqual([0, 217, 433, 758, 975]);
    expect(words.map(({ marginMs }) => Math.round(marginMs))).toEqual([350, 415, 480, 578, 643]);
  });

  test('[C9] are known best at both ends, and less where the length of the sound is not known', () => {
    const known = guessWordTimes(LONG, 5000).map(({ marginMs }) => marginMs);
    const assumed = guessWordTimes(LONG, undefined).map(({ marginMs }) => marginMs);
    const [first = 0] = known;
    const last = known.at(-1) ?? 0;
    expect(last).toBeLessThan(first);
    expect(Math.max(...known)).toBeLessThan(Math.max(...assumed));
  });

  test('[C9] are less sure with every word while the length of the sound is not known, up to a bound', () => {
    const margins = guessWordTimes(LONG.repeat(3), undefined).map(({ marginMs }) => marginMs);
    const rising = margins.filter((margin) => margin < 2000);
    expect(rising.length).toBeGreaterThan(10);
    for (const [n, margin] of rising.entries())
      if (n > 0) expect(margin - (rising[n - 1] ?? 0)).toBeGreaterThan(30);
    expect(new Set(margins.slice(rising.length))).toEqual(new Set([2000]));
  });

  test('[C9] come in order, within the sound, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), fc.integer({ min: 1, max: 60_000 }), (text, ms) => {
        const starts = guessWordTimes(text, ms).map(({ startMs }) => startMs);
        expect(starts).toEqual([...starts].sort((a, b) => a - b));
        for (const start of starts) expect(start).toBeLessThan(ms);
      }),
    );
  });
});

describe('echo of a voice without word times', () => {
  test.each([
    ['open from nine', 1000],
    ['from nine in', 1700],
    ['the morning until six', 2600],
    ['evening', 4300],
  ])('[C9] "%s" at %d ms is its own', (text, startAt) => {
    const call = reading();
    call.at(startAt + 900, echo(text, startAt, startAt + 800));
    call.runTo(12_000);
    expect(call.of('log')).toContainEqual(expect.objectContaining({ note: 'echo' }));
    expect(call.of('play.clear')).toEqual([]);
    expect(call.transcript).toEqual([`assistant: ${LONG}`]);
  });

  test('[C9] words that have not been played are the caller’s', () => {
    const call = reading();
    call.at(1500, echo('in the evening on every day', 600, 1400));
    call.runTo(2000);
    expect(call.of('log')).toEqual([]);
    expect(call.of('play.clear')).toHaveLength(1);
  });

  test('[C9] whoever answers in the words of a question is heard whole', () => {
    const asking = 'Shall I put you on the waiting list?';
    const call = reading(asking, { model: () => 'Done.' });
    // The question ends at some 2500 ms.
    call.says(2900, 'Put me on the waiting list.', { ms: 1500 });
    call.runTo(12_000);
    expect(call.transcript).toEqual([
      `assistant: ${asking}`,
      'user: Put me on the waiting list.',
      'assistant: Done.',
    ]);
  });

  test('[C9] whoever answers with the last word of a question is heard', () => {
    const asking = 'Would you like to come on Tuesday or on Thursday?';
    const call = reading(asking, { model: () => 'Booked.' });
    // The question ends at 3100 ms.
    call.says(3700, 'Thursday.', { ms: 500 });
    call.runTo(12_000);
    expect(call.transcript).toEqual([
      `assistant: ${asking}`,
      'user: Thursday.',
      'assistant: Booked.',
    ]);
  });
});
