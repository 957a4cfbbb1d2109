import { expect, test } from 'vitest';
import { isEcho } from '../../src/engine/turn/echo.ts';

/** The assistant's words, one every 300 ms from an instant on. */
const said = (text: string, from = 10_000, marginMs = 0) =>
  text.split(' ').map((word, i) => ({ word, at: from + i * 300, marginMs }));

const OPEN = said('we are open from nine to six');

test.each([
  [-151, false],
  [-150, true],
  [500, true],
  [501, false],
])(
  '[C9] one word that begins %d ms after the same one of the assistant is its echo: %s',
  (lag, is) => {
    expect(isEcho({ text: 'nine', startAt: 11_200 + lag, played: OPEN })).toBe(is);
    expect(isEcho({ text: 'nine to', startAt: 11_200 + lag, played: OPEN })).toBe(is);
  },
);

test('[C9] two words are an echo only of two that stand together', () => {
  expect(isEcho({ text: 'nine six', startAt: 11_300, played: OPEN })).toBe(false);
  expect(isEcho({ text: 'six please', startAt: 11_900, played: OPEN })).toBe(false);
});

test.each([
  [1200, true],
  [1201, false],
])('[C9] a phrase that begins %d ms after the one that it repeats is its echo: %s', (lag, is) => {
  const played = said('open from nine');
  // Only the last word is near enough to be repeated later.
  const startAt = 10_000 + lag;
  expect(isEcho({ text: 'open from nine', startAt, played: played.slice(0, 1) })).toBe(false);
  const all = said('open from nine').map((word) => ({ ...word, at: 10_000 }));
  expect(isEcho({ text: 'open from nine', startAt, played: all })).toBe(is);
});

test.each([
  ['we are open from nine to eight', true],
  ['we are open from nine to six today my dear', true],
  ['we are open from nine to six today my dear friend', false],
  ['are you open from nine', true],
  ['are you open on Sunday', false],
  ['six to nine from open are we', false],
  ['we are nine from open', false],
])('[C9] seven words in ten, in their order, make %j an echo: %s', (text, is) => {
  expect(isEcho({ text, startAt: 10_200, played: OPEN })).toBe(is);
});

test('[C9] a time that is hardly known makes an echo possible for as long', () => {
  const played = [{ word: 'nine', at: 10_000, marginMs: 2600 }];
  expect(isEcho({ text: 'nine', startAt: 13_100, played })).toBe(true);
  expect(isEcho({ text: 'nine', startAt: 13_101, played })).toBe(false);
});

test('[C9] a guessed time is as good as its margin, on both sides', () => {
  const played = [{ word: 'nine', at: 10_000, marginMs: 200 }];
  expect(isEcho({ text: 'nine', startAt: 9650, played })).toBe(true);
  expect(isEcho({ text: 'nine', startAt: 9649, played })).toBe(false);
  expect(isEcho({ text: 'nine', startAt: 10_700, played })).toBe(true);
  expect(isEcho({ text: 'nine', startAt: 10_701, played })).toBe(false);
});

test('[C9] a phrase whose times are guessed is an echo for as much longer as they may be wrong', () => {
  const played = said('open from nine', 10_000, 400).map((word) => ({ ...word, at: 10_000 }));
  expect(isEcho({ text: 'open from nine', startAt: 11_600, played })).toBe(true);
  expect(isEcho({ text: 'open from nine', startAt: 11_601, played })).toBe(false);
});

test('[C9] nothing said, and nothing heard, is no echo', () => {
  expect(isEcho({ text: '', startAt: 10_000, played: OPEN })).toBe(false);
  expect(isEcho({ text: 'nine', startAt: 10_000, played: [] })).toBe(false);
});
