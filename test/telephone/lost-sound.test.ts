import { expect, test, vi } from 'vitest';
import type { CarrierLeg } from '../../src/gateway/carrier-leg.ts';
import type { CarrierName } from '../../src/ports/carrier.ts';
import { askForLostSound } from '../../src/telephone/lost-sound.ts';
import type { NumberLine } from '../../src/telephone/number-line.ts';
import { PhoneCall } from '../../src/telephone/phone-call.ts';
import { ManualClock } from '../support/manual-clock.ts';

const SOCKET_MS = 30_000;

/** A call that talks and has just lost its first media socket. */
function lostCall(carrier: CarrierName, isFollowed?: () => Promise<boolean>) {
  const clock = new ManualClock();
  const account = isFollowed ? { isFollowed } : {};
  const call = new PhoneCall({
    record: {
      ...{ id: 'c1', teamId: 't1', direction: 'inbound', carrierCallId: 'x' },
      ...{ phoneCallStatus: 'in-progress', epoch: 0 },
    },
    line: { carrier: { name: carrier }, account } as unknown as NumberLine,
    baseUrl: 'http://localhost',
  });
  call.grantAttempt(undefined);
  const leg = { isOver: false };
  call.leg = leg as CarrierLeg;
  const warn = vi.fn();
  const asked: (number | undefined)[] = [];
  const answers: ('taken' | 'refused')[] = [];
  askForLostSound({ clock, log: { warn } as never }, call, async () => {
    asked.push(call.grantAttempt(undefined));
    call.arm(clock, SOCKET_MS, () => undefined);
    if (answers.shift() === 'refused') throw new Error('refused');
  });
  const pass = (ms: number) => clock.advance(ms);
  return { clock, call, leg, asked, answers, pass, warn };
}

test('a carrier that asks for another socket itself is not asked', async () => {
  const { clock, call, asked, pass } = lostCall('telnyx');
  await pass(500);
  call.grantAttempt(undefined);
  call.arm(clock, SOCKET_MS, () => undefined);
  await pass(5000);
  expect(asked).toEqual([]);
});

test('one that says nothing is asked once, as its socket is under way then', async () => {
  const { asked, pass } = lostCall('telnyx');
  await pass(900);
  expect(asked).toEqual([]);
  await pass(5000);
  expect(asked).toEqual([1]);
});

test('one that refuses, or cannot be reached, is asked again by the same number', async () => {
  const { asked, answers, pass, warn } = lostCall('asterisk');
  answers.push('refused', 'refused', 'taken');
  await pass(10_000);
  expect(asked).toEqual([1, 1, 1]);
  expect(warn).toHaveBeenCalledTimes(2);
});

test('one whose events nobody follows is asked when somebody does', async () => {
  let isFollowed = false;
  const { asked, pass } = lostCall('asterisk', async () => isFollowed);
  await pass(3000);
  expect(asked).toEqual([]);
  isFollowed = true;
  await pass(2000);
  expect(asked).toEqual([1]);
});

test('a leg that is over, and one whose carrier asks by a document, is left alone', async () => {
  const over = lostCall('telnyx');
  over.leg.isOver = true;
  const twilio = lostCall('twilio');
  await Promise.all([over.pass(5000), twilio.pass(5000)]);
  expect([over.asked, twilio.asked]).toEqual([[], []]);
});
