import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { coresTable, loadsTable } from './calls.ts';
import { measuredAt, spread } from './measured.ts';
import { processesTable } from './processes.ts';

test('a figure is the middle one of its rounds, with their range', () => {
  expect(spread([3, 1.26, 2])).toBe('2 (1.3 to 3)');
  expect(spread([10, 9])).toBe('9 (9 to 10)');
  expect(spread([4.04])).toBe('4');
  expect(spread([4.04, 4, 4.01])).toBe('4');
});

test('the table of loads takes the middle of each figure, not the figures of one round', () => {
  const point = (ms: number, p99: number) =>
    ({
      calls: 100,
      floorMs: 1,
      ratio: ms,
      service: {
        ...{ cpuMsPerCallSecond: ms, lateFramesPercent: 0, liveKiBPerCall: 200 },
        ...{
          replyMs: { p50: 2, p99 },
          replyOwnMs: { p99: p99 - 1 },
          clearMs: { p99: 3 },
          lost: { reset: 1 },
          refused: {},
        },
        coreByCore: {
          first: { service: 10 * ms, database: 0, callers: 0, vendors: 0, others: 3 },
          others: { service: 2, database: 5, callers: 10, vendors: 4, others: 1 },
        },
      },
    }) as unknown as Parameters<typeof loadsTable>[0][number][number];
  const loads = [[point(4, 30), point(5, 10), point(6, 20)]];
  expect(loadsTable(loads).split('\n')[2]).toBe(
    '| 100 | 5 (4 to 6) | 1 | 5 (4 to 6) | 0 | 2 | 20 (10 to 30) | 19 (9 to 29) | 3 | 200 | 1 |',
  );
  expect(coresTable(loads).split('\n').slice(2)).toEqual([
    '| 100 | the first | 50 (40 to 60) | 0 | 0 | 0 | 3 |',
    '| 100 | all others together | 2 | 5 | 10 | 4 | 1 |',
  ]);
});

test('the table of processes has a column for each number of calls and of processes', () => {
  const run = (calls: number, processes: number, ms: number) =>
    ({
      processes,
      service: {
        ...{ calls, cpuMsPerCallSecond: ms, lateFramesPercent: 0 },
        cores: { database: 20, busiestProcess: 40 },
        ...{ replyMs: { p50: 2, p99: 9 }, replyOwnMs: { p99: 8 }, clearMs: { p99: 3 } },
        ...{ lost: {}, refused: { busy: 1 } },
      },
      memory: { processes: 1, rssMib: 300, pssMib: 200 },
      idleMemory: { processes: 1, rssMib: 200, pssMib: 100 },
      relayed: 0,
    }) as unknown as Parameters<typeof processesTable>[0][number][number];
  const loads = [
    [run(50, 1, 5), run(50, 2, 7), run(50, 2, 8), run(50, 1, 6)],
    [run(100, 1, 4), run(100, 2, 5)],
  ];
  const [head, , cpu, database] = processesTable(loads).split('\n');
  expect(head).toBe(
    '|  | 50 calls, one process | 50 calls, 2 processes | 100 calls, one process | 100 calls, 2 processes |',
  );
  expect(cpu).toBe('| CPU ms a call-second, all threads | 5 (5 to 6) | 7 (7 to 8) | 4 | 5 |');
  // A fifth of a core for so many calls.
  expect(database).toBe('| its database | 4 | 4 | 2 | 2 |');
});

test.each([
  ['README.md', 'calls'],
  ['docs/console-scale.md', 'console'],
  ['docs/security.md', 'abuse'],
  ['docs/scale.md', 'processes'],
  ['docs/scale.md', 'cores'],
  ['docs/turn-taking.md', 'by ear'],
  ['docs/knowledge.md', 25_000],
  ['docs/knowledge.md', 50_000],
])('%s has a place for the figures of "%s"', (page, name) => {
  expect(readFileSync(resolve(import.meta.dirname, '../..', page), 'utf8')).toMatch(
    measuredAt(name),
  );
});
