import { expect, test } from 'vitest';
import { RepeatedLog } from '../../src/lib/repeated-log.ts';
import { VirtualClock } from '../../src/lib/virtual-clock.ts';

function rig() {
  const clock = new VirtualClock();
  const lines: [message: string, repeated: unknown][] = [];
  const log = new RepeatedLog(
    { warn: (fields, message) => void lines.push([message, fields.repeated]) },
    clock,
  );
  return { clock, lines, log };
}

test('what repeats is written once, then once a minute with how often it happened', () => {
  const { clock, lines, log } = rig();
  for (let i = 0; i < 600; i++) {
    log.warn('away', {}, 'a server is away');
    clock.advanceTo(clock.now() + 100);
  }
  clock.advanceTo(200_000);
  expect(lines).toEqual([
    ['a server is away', undefined],
    ['a server is away', 599],
  ]);
});

test('lines that differ are apart; what was quiet for a minute is news again', () => {
  const { clock, lines, log } = rig();
  log.warn('a', {}, 'first');
  log.warn('b', {}, 'second');
  clock.advanceTo(61_000);
  log.warn('a', {}, 'first');
  expect(lines.map(([message]) => message)).toEqual(['first', 'second', 'first']);
});

test('however many different lines there are, they are bounded', () => {
  const { lines, log } = rig();
  for (let i = 0; i < 10_000; i++) log.warn(`key ${i}`, {}, `line ${i}`);
  expect(lines.length).toBeLessThan(250);
});
