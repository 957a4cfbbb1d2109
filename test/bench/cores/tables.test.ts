import { expect, test } from 'vitest';
import { curveTable, refusalsTable, roomTable } from './tables.ts';

const tail = (p99: number) => ({ p50: 2, p99, p999: 2 * p99 });
const lines = (table: string) => table.split('\n').slice(2);

test('simulated tails stand beside the measured ones, with how far they are off', () => {
  const measured = { replies: 600, replyMs: tail(25), replyOwnMs: tail(20) };
  const curve = [
    { calls: 100, measured, simulated: tail(18), foretold: tail(22), onSlowHost: tail(60) },
    { calls: 150, simulated: tail(30.4), onSlowHost: tail(500) },
  ];
  expect(lines(curveTable(curve))).toEqual([
    '| 100 | 2, 20, 40 | 2, 18, 36 | -10 % | 2, 22, 44 | +10 % | 2, 60, 120 |',
    '| 150 |  | 2, 30, 61 |  |  |  | 2, 500, 1000 |',
  ]);
});

test('what ends the room of a machine is told: its threads, its cores or its database', () => {
  const room = (calls: number, coresUsed: number) => ({
    ...{ cores: 64, goalMs: 25, calls, fullest: 190, replyMs: tail(24), refused: 0 },
    ...{ coresUsed, threadUsed: 0.7 },
  });
  const limits = [room(9600, 0.6), room(9600, 0.9), room(27_000, 0.9)];
  expect(lines(roomTable(limits)).map((line) => line.split(' | ').at(-1))).toEqual([
    'the thread of each process |',
    'cores: threads wait for one |',
    'one Postgres, before the replies |',
  ]);
  expect(lines(roomTable(limits))[0]).toBe(
    '| 64 | 25 ms | 9600 | 2, 24, 48 | 60 | 70 | 190 | the thread of each process |',
  );
});

test('each limit of the lag has a line', () => {
  const outcome = { ...{ calls: 140, fullest: 140, replyMs: tail(40), refused: 0.3 } };
  const asIs = { ...outcome, coresUsed: 0.8, threadUsed: 0.82 };
  const refusals = [{ maxLagMs: 5, asIs, onSlowHost: { ...asIs, calls: 70 } }];
  expect(lines(refusalsTable(refusals))).toEqual(['| 5 | 140 | 2, 40, 80 | 82 | 70 | 2, 40, 80 |']);
});
