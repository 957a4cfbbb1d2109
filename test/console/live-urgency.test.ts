import { expect, test } from 'vitest';
import { byUrgency, recentAlerts } from '../../src/console/live/urgency.ts';

const NOW = Date.parse('2026-03-10T12:00:00.000Z');
const begun = (minutesAgo: number) => new Date(NOW - minutesAgo * 60_000).toISOString();
const call = (id: string, minutesAgo: number, alertedAgoMs?: number) => ({
  id,
  startAt: begun(minutesAgo),
  ...(alertedAgoMs === undefined
    ? {}
    : { alerts: [{ kind: 'tool-failed', atMs: minutesAgo * 60_000 - alertedAgoMs } as const] }),
});

test('a call is alarming for a minute, and the newest alert comes first', () => {
  const both = {
    startAt: begun(5),
    alerts: [
      { kind: 'tool-failed', atMs: 4.5 * 60_000 },
      { kind: 'long-silence', atMs: 4.9 * 60_000 },
      { kind: 'model-failed', atMs: 60_000 },
    ],
  } as const;
  expect(recentAlerts({ ...both, alerts: [...both.alerts] }, NOW)).toEqual([
    { kind: 'long-silence', agoMs: 6000 },
    { kind: 'tool-failed', agoMs: 30_000 },
  ]);
});

test('alarming calls come first, then those with an earlier alert, and the longest call of each', () => {
  const calls = [
    call('calm', 2),
    call('calm and long', 9),
    call('earlier', 8, 120_000),
    call('now', 3, 1000),
    call('now and long', 4, 50_000),
  ];
  expect(byUrgency(calls, NOW).map(({ id }) => id)).toEqual([
    ...['now and long', 'now', 'earlier', 'calm and long', 'calm'],
  ]);
});
