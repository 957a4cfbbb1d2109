import { expect, test } from 'vitest';
import { canReachPhoneStatus, canReachStatus } from '../../src/store/call-transitions.ts';

const STATUSES = ['queued', 'ongoing', 'forwarded', 'finished'] as const;

test('a call moves only forward, and ends for good', () => {
  const reachable = Object.fromEntries(
    STATUSES.map((from) => [from, STATUSES.filter((to) => canReachStatus(from, to))]),
  );
  expect(reachable).toEqual({
    queued: ['queued', 'ongoing', 'forwarded', 'finished'],
    ongoing: ['ongoing', 'forwarded', 'finished'],
    forwarded: ['forwarded'],
    finished: ['finished'],
  });
});

test.each([
  [null, 'trying', true],
  ['trying', 'ringing', true],
  ['trying', 'completed', true],
  ['ringing', 'busy', true],
  ['in-progress', 'busy', false],
  ['in-progress', 'ringing', false],
  ['in-progress', 'completed', true],
  ['busy', 'in-progress', false],
  ['no-answer', 'completed', false],
  ['completed', 'failed', false],
] as const)('the line of a phone call from %s to %s: %s', (from, to, legal) => {
  expect(canReachPhoneStatus(from, to)).toBe(legal);
});
