import { expect, test } from 'vitest';
import type { LineReport } from '../calls/messages.ts';
import { heardOf, turnsOf } from './heard.ts';

const SCRIPT = {
  lengthMs: 20_000,
  turns: [
    { fromMs: 0, toMs: 4000 },
    { fromMs: 10_000, toMs: 12_000 },
    { fromMs: 14_000, toMs: 15_000 },
  ],
  replyMs: 3200,
};
const WINDOW = { from: 0, to: 20_000 };

const line = (heard: Partial<LineReport>): LineReport => ({
  party: 'a',
  wire: 'web',
  latenessMs: [],
  replyAt: [],
  clearAt: [],
  gaps: [],
  framesSent: 0,
  scriptAt: 0,
  ...heard,
});

test('acts with less than a second between them are one turn', () => {
  const acts = [
    { fromMs: 0, toMs: 2170 },
    { fromMs: 2170, toMs: 4290 },
    { fromMs: 10_000, toMs: 12_498 },
  ];
  expect(turnsOf(acts)).toEqual([
    { fromMs: 0, toMs: 4290 },
    { fromMs: 10_000, toMs: 12_498 },
  ]);
});

test('a reply counts from the end of its turn, a clear from the beginning of the interruption', () => {
  const heard = line({ replyAt: [4300, 12_500, 15_600], clearAt: [14_600] });
  expect(heardOf([heard], SCRIPT, WINDOW)).toEqual({
    replies: [
      { turn: 0, ms: 300 },
      { turn: 1, ms: 500 },
      { turn: 2, ms: 600 },
    ],
    unanswered: 0,
    clearMs: [600],
    uncleared: 0,
  });
});

test('a turn without a reply before the next one is unanswered, a reply that sounds on is uncleared', () => {
  const heard = line({ replyAt: [10_500, 12_500] });
  expect(heardOf([heard], SCRIPT, WINDOW)).toEqual({
    replies: [{ turn: 1, ms: 500 }],
    unanswered: 2,
    clearMs: [],
    uncleared: 1,
  });
});

test('a reply that is about to end is not interrupted, nor one that was cleared before', () => {
  const nearlyOver = line({ replyAt: [4300, 11_700, 15_600] });
  const cleared = line({ replyAt: [4300, 12_500, 15_600], clearAt: [13_000] });
  for (const heard of [nearlyOver, cleared]) {
    const { clearMs, uncleared } = heardOf([heard], SCRIPT, WINDOW);
    expect({ clearMs, uncleared }).toEqual({ clearMs: [], uncleared: 0 });
  }
});

test('the script repeats, and only turns that lie within the window with what follows them count', () => {
  const heard = line({ scriptAt: -10_000, replyAt: [2500, 5600, 14_400] });
  const msWithin = (window: typeof WINDOW) =>
    heardOf([heard], SCRIPT, window).replies.map(({ ms }) => ms);
  expect(msWithin(WINDOW)).toEqual([500, 600, 400]);
  expect(msWithin({ from: 1, to: 19_999 })).toEqual([600]);
});

test('a caller that does not say when it speaks is an error', () => {
  const { scriptAt: _, ...silent } = line({});
  expect(() => heardOf([silent], SCRIPT, WINDOW)).toThrow('does not say when it speaks');
});
