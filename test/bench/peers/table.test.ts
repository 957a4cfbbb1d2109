import { expect, test } from 'vitest';
import { tail } from '../calls/summary.ts';
import type { Point } from './measure.ts';
import { peersTable } from './table.ts';

const point = (changed: Partial<Point>): Point => ({
  subject: 'a',
  calls: 10,
  cpuMsPerCallSecond: 8,
  restMib: 90,
  mibPerCall: 2,
  processes: 2,
  replies: [{ turn: 0, ms: 500 }],
  replyMs: tail([500]),
  clearMs: tail([300]),
  unansweredPercent: 0,
  unclearedPercent: 0,
  lateFramesPercent: 0,
  framesHeard: 1000,
  turns: 60,
  finals: 60,
  callersLateMs: 1,
  lost: {},
  refused: {},
  warnings: {},
  ...changed,
});

test('a row has the middle of its rounds and their range, and a dash for what was not searched for', () => {
  const few = point({});
  const most = (calls: number) => point({ calls, replies: [{ turn: 0, ms: 560 }] });
  const [, , searched, other] = peersTable([
    {
      about: 'A',
      rounds: [100, 120, 110].map((calls) => ({ few, most: most(calls) })),
    },
    { about: 'B', rounds: [{ few: point({ cpuMsPerCallSecond: 44 }) }] },
  ]).split('\n');
  expect(searched).toBe(
    '| A | 8 | 110 (100 to 120) | 8 | 500 | 500 | 60 | 300 | 300 | 90 | 2 | 0 |',
  );
  expect(other).toBe('| B | 44 | – | – | 500 | 500 | – | 300 | 300 | 90 | 2 | 0 |');
});
