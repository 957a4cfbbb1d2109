import { expect, test } from 'vitest';
import { TurnTimer } from '../../src/console/talk/turn-timer.js';

interface Part {
  readonly ms: number;
  readonly user?: number;
  readonly assistant?: number;
}

/** Plays a score of levels in 20 ms frames; the answers that were timed. */
function answers(parts: readonly Part[]): number[] {
  const timed: number[] = [];
  const timer = new TurnTimer((latencyMs) => timed.push(latencyMs));
  let at = 0;
  for (const { ms, user = -70, assistant = -120 } of parts) {
    for (let passed = 0; passed < ms; passed += 20) {
      at += 20;
      timer.heardCaller(user, at);
      timer.heardAssistant(assistant, at);
    }
  }
  return timed;
}

test('an answer counts from the last word to the first sound', () => {
  const parts = [{ ms: 500 }, { ms: 800, user: -25 }, { ms: 600 }, { ms: 1000, assistant: -20 }];
  expect(answers(parts)).toEqual([620]);
});

test('the pauses of a turn and of an answer do not count', () => {
  const parts = [
    { ms: 400, user: -25 },
    { ms: 300 },
    { ms: 400, user: -25 },
    { ms: 500 },
    { ms: 300, assistant: -20 },
    { ms: 200 },
    { ms: 300, assistant: -20 },
  ];
  expect(answers(parts)).toEqual([520]);
});

test('a noisy room is not speech', () => {
  const parts = [
    { ms: 30_000, user: -45 },
    { ms: 500, user: -20 },
    { ms: 700, user: -45 },
    { ms: 500, assistant: -20 },
  ];
  expect(answers(parts).at(-1)).toBe(720);
});

test('a welcome, an idle message and a cut-in are no answers', () => {
  expect(answers([{ ms: 1000 }, { ms: 500, assistant: -20 }])).toEqual([]);
  expect(answers([{ ms: 500, user: -25 }, { ms: 16_000 }, { ms: 500, assistant: -20 }])).toEqual(
    [],
  );
  expect(
    answers([
      { ms: 500, user: -25 },
      { ms: 500, user: -25, assistant: -20 },
    ]),
  ).toEqual([]);
});
