import { expect, test } from 'vitest';
import { isTerminalStatus, nextPhoneStatus } from '../../src/carriers/phone-status.ts';
import type { PhoneCallStatus } from '../../src/contract/call.ts';
import { canReachPhoneStatus } from '../../src/store/call-transitions.ts';

const ALL: readonly PhoneCallStatus[] = [
  'trying',
  'early-media',
  'ringing',
  'in-progress',
  'busy',
  'no-answer',
  'failed',
  'completed',
];

/** Where a line ends up, and every status it had. */
function follow(reports: readonly PhoneCallStatus[]): readonly PhoneCallStatus[] {
  const had: PhoneCallStatus[] = [];
  for (const report of reports) {
    const next = nextPhoneStatus(had.at(-1), report);
    if (next) had.push(next);
  }
  return had;
}

function* orders<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length <= 1) yield items;
  for (const [i, item] of items.entries()) {
    for (const rest of orders(items.toSpliced(i, 1))) yield [item, ...rest];
  }
}

test('every order of the reports of an answered call ends completed, and never goes back', () => {
  const reports: PhoneCallStatus[] = [
    'trying',
    'ringing',
    'early-media',
    'in-progress',
    'completed',
  ];
  for (const order of orders(reports)) expect(follow(order).at(-1)).toBe('completed');
});

test('a report that comes twice, or after the end, changes nothing', () => {
  expect(follow(['trying', 'trying', 'ringing', 'trying', 'busy', 'completed', 'ringing'])).toEqual(
    ['trying', 'ringing', 'busy'],
  );
});

test.each(['busy', 'no-answer', 'failed'] as const)('%s after the answer is completed', (end) => {
  expect(follow(['ringing', 'in-progress', end])).toEqual(['ringing', 'in-progress', 'completed']);
});

test('whatever comes in whatever order, the record may take each step, and stops at the first end', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let run = 0; run < 2000; run++) {
    const reports = Array.from({ length: 12 }, () => ALL[random(ALL.length)] as PhoneCallStatus);
    const had = follow(reports);
    for (const [i, status] of had.entries()) {
      expect(canReachPhoneStatus(had[i - 1] ?? null, status), reports.join()).toBe(true);
      expect(isTerminalStatus(status)).toBe(i === had.length - 1 && isTerminalStatus(status));
    }
    const end = reports.findIndex(isTerminalStatus);
    if (end >= 0) expect(isTerminalStatus(had.at(-1) as PhoneCallStatus)).toBe(true);
  }
});
