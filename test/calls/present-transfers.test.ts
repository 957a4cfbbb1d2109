import { expect, test } from 'vitest';
import { presentTransfers } from '../../src/calls/present-transfers.ts';

const dial = {
  at: 1000,
  type: 'leg.dial',
  data: { legId: 1, to: '+1500', name: 'Anna', mode: 'blind' },
};
const line = (at: number, type: string, data: object = {}) => ({
  at,
  type,
  data: { legId: 1, ...data },
});

test('a colleague who is reached: each step with its instant', () => {
  const lines = [
    dial,
    line(1200, 'operator.ringing'),
    line(5000, 'operator.answered'),
    line(5001, 'leg.bridge'),
    line(9000, 'operator.hungUp'),
    line(9001, 'leg.hangup', { reason: 'operator-left' }),
  ];
  expect(presentTransfers(lines)).toEqual([
    {
      to: '+1500',
      name: 'Anna',
      mode: 'blind',
      outcome: 'transferred',
      steps: [
        { step: 'dialled', atMs: 1000 },
        { step: 'ringing', atMs: 1200 },
        { step: 'answered', atMs: 5000 },
        { step: 'joined', atMs: 5001 },
        { step: 'hung-up', atMs: 9000 },
        { step: 'let-go', atMs: 9001 },
      ],
    },
  ]);
});

test('a telephone that nobody takes: the reason is that time was up', () => {
  const lines = [
    dial,
    line(1200, 'operator.ringing'),
    line(16_000, 'leg.hangup', { reason: 'timeout' }),
  ];
  expect(presentTransfers(lines)).toMatchObject([
    { outcome: 'failed', reason: 'timeout', steps: [{}, {}, { step: 'let-go', atMs: 16_000 }] },
  ]);
});

test('a line that fails: its own word for it stands beside the reason', () => {
  const failed = line(1500, 'operator.failed', { reason: 'busy', code: 'q850-17' });
  const lines = [dial, failed, line(1500, 'leg.hangup', { reason: 'busy' })];
  expect(presentTransfers(lines)).toMatchObject([
    { outcome: 'failed', reason: 'busy', cause: 'q850-17' },
  ]);
});

test('a second try is a transfer of its own, and one that still rings is pending', () => {
  const lines = [
    dial,
    line(1500, 'leg.hangup', { reason: 'declined' }),
    {
      at: 8000,
      type: 'leg.dial',
      data: { legId: 2, to: '+1501', name: '', mode: 'conversational' },
    },
  ];
  expect(presentTransfers(lines)).toMatchObject([
    { outcome: 'failed', reason: 'declined' },
    { to: '+1501', mode: 'conversational', outcome: 'pending', steps: [{ step: 'dialled' }] },
  ]);
});

test('a caller whom the far end took over was transferred', () => {
  expect(presentTransfers([dial, line(4000, 'operator.accepted')])).toMatchObject([
    { outcome: 'transferred' },
  ]);
});
