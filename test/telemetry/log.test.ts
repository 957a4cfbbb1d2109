import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/lib/virtual-clock.ts';
import { createLog } from '../../src/telemetry/log.ts';

function rig() {
  const clock = new VirtualClock();
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) }, clock);
  const count = (msg: string) => lines.filter((line) => line.msg === msg).length;
  return { clock, lines, log, count };
}

test('a warning that floods is written twenty times, then once a minute with a count', () => {
  const { clock, lines, log, count } = rig();
  for (let i = 0; i < 5000; i++)
    log.warn({ callId: `c${i}`, code: 'x' }, 'a part of a call failed');
  expect(count('a part of a call failed')).toBe(20);
  clock.advanceTo(60_000);
  expect(lines.at(-1)).toMatchObject({ msg: 'a part of a call failed', repeated: 4980 });
  for (let i = 0; i < 300; i++) log.warn({ code: 'x' }, 'a part of a call failed');
  expect(count('a part of a call failed')).toBe(21);
  clock.advanceTo(120_000);
  expect(lines.at(-1)).toMatchObject({ repeated: 300, code: 'x', level: 40 });
  expect(count('a part of a call failed')).toBe(22);
});

test('other messages, other codes and lines of less weight are not held back by it', () => {
  const { log, count, lines } = rig();
  for (let i = 0; i < 100; i++) log.error({ code: 'x' }, 'failed');
  log.error({ code: 'y' }, 'failed');
  log.warn({ code: 'x' }, 'other');
  for (let i = 0; i < 100; i++) log.info({}, 'news');
  expect([count('failed'), count('other'), count('news')]).toEqual([21, 1, 100]);
  log.error(new Error('broken'));
  expect(lines.at(-1)).toMatchObject({ err: { message: 'broken' }, msg: 'broken' });
});

test('the log of a part of the service is bounded with the whole', () => {
  const { log, count } = rig();
  const child = log.child({ reqId: 1 });
  for (let i = 0; i < 100; i++) (i % 2 ? log : child).warn({}, 'refused');
  expect(count('refused')).toBe(20);
});

test('a secret in a line that is counted stays hidden', () => {
  const { clock, log, lines } = rig();
  for (let i = 0; i < 30; i++) log.warn({ token: 's3cret' }, 'refused');
  clock.advanceTo(60_000);
  expect(JSON.stringify(lines)).not.toContain('s3cret');
  expect(lines.at(-1)).toMatchObject({ repeated: 10 });
});
