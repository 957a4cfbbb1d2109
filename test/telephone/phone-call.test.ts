import { expect, test } from 'vitest';
import type { CarrierLeg } from '../../src/gateway/carrier-leg.ts';
import { PhoneCall } from '../../src/telephone/phone-call.ts';
import { ManualClock } from '../support/manual-clock.ts';

const LINE = {} as ConstructorParameters<typeof PhoneCall>[0]['line'];

const callOf = (epoch: number) =>
  new PhoneCall({
    record: {
      ...{ id: 'c1', teamId: 't1', direction: 'inbound', carrierCallId: 'x' },
      ...{ phoneCallStatus: 'in-progress', epoch },
    },
    line: LINE,
    baseUrl: 'http://localhost',
  });

test('a call gets eight media sockets from each process that has it, by numbers that rise', () => {
  const call = callOf(0);
  const granted = Array.from({ length: 9 }, () => call.grantAttempt(undefined));
  expect(granted).toEqual([0, 1, 2, 3, 4, 5, 6, 7, undefined]);
});

test.each([
  ['adopted', () => callOf(1)],
  [
    'taken from a process that is gone',
    () => {
      const call = callOf(0);
      call.takenFromDead(1);
      return call;
    },
  ],
])('a call that was %s asks by numbers that its carrier has not seen', (_, make) => {
  const call = make();
  expect([call.grantAttempt(undefined), call.grantAttempt(undefined)]).toEqual([8, 9]);
});

test('a request whose answer the carrier may have missed is granted again, until its socket opens', () => {
  const call = callOf(0);
  const clock = new ManualClock();
  const granted: (number | undefined)[] = [];
  for (const attempt of [0, 1]) {
    granted.push(call.grantAttempt(attempt), call.grantAttempt(attempt));
    call.leg ??= { isOver: false } as CarrierLeg;
    call.opened(clock);
    granted.push(call.grantAttempt(attempt));
  }
  expect(granted).toEqual([0, 0, undefined, 1, 1, undefined]);
});

test('a late report of a lost socket is known where another was granted since, whatever it names the socket by', async () => {
  const call = callOf(1);
  const reports = () =>
    Promise.all(
      [
        undefined,
        { attempt: 7 },
        { attempt: 8 },
        { mediaUrl: 'wss://here/media/telnyx/of-the-dead' },
        { mediaUrl: 'wss://here/media/telnyx/token-8' },
        { ofDeadProcess: true } as const,
      ].map((lost) => call.isReplaced(lost)),
    );
  // The call was just taken over: whatever it had is lost.
  expect(await reports()).toEqual([false, false, false, false, false, false]);
  expect(call.grantAttempt(undefined)).toBe(8);
  await call.tokenFor(8, async () => 'token-8');
  expect(await reports()).toEqual([false, true, false, true, false, true]);
  expect(call.grantAttempt(undefined)).toBe(9);
  await call.tokenFor(9, async () => 'token-9');
  expect(await reports()).toEqual([false, true, true, true, true, true]);
});
