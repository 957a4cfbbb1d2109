import { expect, test } from 'vitest';
import { replyHops } from './reply-hops.ts';

const reply = (from: number, answeredAt: number, vendors: { from: number; to: number }[]) => ({
  ...{ party: 'a', from, answeredAt, vendors },
  ...{ latencyMs: answeredAt - from, standstillMs: 0 },
});

test('a draft counts from the end of the turn to the voice, an answer without one by way of the model', () => {
  const drafted = reply(100, 106, [
    { from: 50, to: 51 },
    { from: 102, to: 103 },
  ]);
  const asked = reply(200, 212, [
    { from: 203, to: 204 },
    { from: 208, to: 209 },
  ]);
  const row = (ms: number) => ({ replies: 1, p50: ms, mean: ms, p99: ms });
  expect(replyHops([drafted, asked])).toEqual({
    'draft: turn over to voice': row(2),
    'draft: voice to caller': row(3),
    'draft: all': row(6),
    'model: turn over to model': row(3),
    'model: model to voice': row(4),
    'model: voice to caller': row(3),
    'model: all': row(12),
  });
});

test('a reply whose answers of the vendors are not known is left out', () => {
  const spokenAhead = reply(100, 101, [
    { from: 50, to: 51 },
    { from: 60, to: 61 },
  ]);
  const askedAhead = reply(100, 108, [
    { from: 99, to: 101 },
    { from: 104, to: 105 },
  ]);
  expect(replyHops([reply(100, 104, []), spokenAhead, askedAhead])).toEqual({});
});
