import { expect, test } from 'vitest';
import { attackRows, resultsTable } from '../bench/abuse/results.ts';
import { type AbuseRound, type AbuseWindow, QUIET } from '../bench/abuse/round.ts';

const window = (attack: string, fields: Partial<AbuseWindow>): AbuseWindow => ({
  ...{ attack, gaps: [], latencies: [], asked: 0, stretchMs: 0, loopP99Ms: 0, callersLateMs: 0 },
  ...{ serviceCpuPercent: 0, attackersCpuPercent: 0, rssMib: 0, lost: [], counts: {} },
  ownLatencies: [],
  ...fields,
});
const times = (n: number, ms: number) => Array.from({ length: n }, () => ms);

function round(gapMs: number, afterMib: number, lost: readonly string[] = []): AbuseRound {
  return {
    windows: [
      window(QUIET, { gaps: [4, 2], latencies: times(99, 3) }),
      window('flood', {
        gaps: [gapMs, 1],
        latencies: [...times(48, 3), 50, 60],
        stretchMs: 7,
        ownLatencies: [...times(48, 3), 30, 41],
      }),
      window('drip', { latencies: times(50, 3), lost }),
      window(QUIET, { latencies: [...times(99, 3), 40, 40] }),
    ],
    memoryMib: { before: 200, worst: 500, after: afterMib, collected: afterMib },
    processes: [],
    logMib: 0,
  };
}

test('the table has the middle round and the range, and the replies of all rounds together', () => {
  const control: AbuseRound = {
    ...round(0, 212),
    windows: [window(QUIET, { gaps: [1], latencies: times(100, 3) })],
  };
  const rounds = [round(30, 220), round(70, 210, ['reset']), round(20, 260)];
  const rows = resultsTable(rounds, control).split('\n');
  expect(rows[0]).toBe('|  | Goal, at most | Measured, 3 rounds |');
  expect(rows).toContain('| longest pause within a reply, ms | 60 | 30 (20 to 70) |');
  expect(rows).toContain('| the same without an attack |  | 4 (1 to 4) |');
  // Of 300 replies under attack three are 60 ms late and three 50; of 700 without, six are 40 ms late, fewer than one in a hundred.
  expect(rows).toContain('| reply p99, ms |  | 60 (of 300 replies) |');
  expect(rows).toContain('| the same without an attack |  | 3 (of 700 replies) |');
  expect(rows).toContain('| more than without | 20 | 57 |');
  // Without what the bench itself stood still.
  expect(rows).toContain('| of it the service’s, ms |  | 41 |');
  expect(rows).toContain('| a minute after, more than before, % | 10 | 10 (5 to 30) |');
  expect(rows).toContain('| the same where nobody attacked, % |  | 6 |');
  expect(rows).toContain('| calls lost | 0 | 0 (0 to 1) |');
});

test('each attack is judged by how many of its replies are later than 99 of 100 without one', () => {
  const rows = attackRows([round(30, 220), round(70, 220)]);
  expect(rows.map((row) => [row.attack, row.replies, row['later than quiet p99, %']])).toEqual([
    [QUIET, 400, 0],
    ['flood', 100, 4],
    ['drip', 100, 0],
  ]);
});
