import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  EmulatedCall,
  EmulatedCarrier,
} from '../../src/carriers/emulator/emulated-carrier.ts';
import { WebCaller } from '../../src/cli/web-caller.ts';
import type { Call, ConnectedCall } from '../../src/contract/call.ts';
import { isLong, rowsOf } from '../support/effort.ts';
import { eventually } from '../support/eventually.ts';
import { PhoneRig } from '../support/phone-rig.ts';
import { ears, loudMs, speaks } from '../support/phone-talk.ts';
import { toneMs } from '../support/tones.ts';

let rig: PhoneRig;
beforeAll(async () => {
  rig = await PhoneRig.start();
});
afterAll(() => rig?.[Symbol.asyncDispose](), 30_000);

const WELCOME = 'Hello, this is the bicycle shop.';
const office = (callForwardData: object, more: object = {}) => ({
  welcomeMessage: WELCOME,
  recordingEnabled: true,
  assistantPredefinedTools: { callForward: true },
  callForwardData: { name: 'Anna', ...callForwardData },
  ...more,
});

type Outcome = 'busy' | 'refuse' | 'no-answer' | 'failed';
const UNREACHED: Readonly<Record<'twilio' | 'telnyx' | 'asterisk', readonly Outcome[]>> = {
  twilio: ['busy', 'refuse'],
  telnyx: ['no-answer'],
  asterisk: ['failed'],
};

/** Of the other carriers a warm transfer is in `npm test`. */
const SHORT = 'asterisk';

describe.concurrent.each(['twilio', 'telnyx', 'asterisk'] as const)('%s', (name) => {
  test.runIf(isLong === (name !== SHORT))(
    '[X2] [X5] a caller is put through to another telephone, and both hear each other',
    async () => {
      const carrier = rig.carrier(name);
      const { number } = await rig.addNumber(carrier, office({}, { recordAfterTransfer: true }));
      const [user, operatorNumber] = [rig.person(), rig.person()];
      const call = await inbound(carrier, user, number);
      await forward(user, operatorNumber);
      const operator = await rig.answered(operatorNumber);
      expect(operator).toMatchObject({ from: number, to: operatorNumber });
      await operator.connected;
      await eventually(async () => expect(await statusOf(user)).toBe('forwarded'));
      await Promise.all([
        speaks(operator.handset, 700, ears(call)),
        speaks(call.handset, 500, ears(operator)),
      ]);

      operator.hangup();
      await call.ended;
      expect(await ended(user)).toMatchObject({
        status: 'forwarded',
        phoneCallStatus: 'completed',
        endReason: 'transferred',
      });
      expect(call.handset.refusals).toEqual([]);
      expect(operator.handset.refusals).toEqual([]);
    },
  );

  test.runIf(isLong).each(UNREACHED[name])(
    '[X6] an operator whose line is %s: the assistant has the caller again',
    async (outcome) => {
      const carrier = rig.carrier(name);
      const { number } = await rig.addNumber(carrier, office({}));
      const [user, operatorNumber] = [rig.person(), rig.person()];
      rig.whenDialled(operatorNumber, { outcome, ringMs: 50 });
      const call = await inbound(carrier, user, number);
      const id = await forward(user, operatorNumber);
      const reason = outcome === 'busy' || outcome === 'no-answer' ? outcome : 'line-error';
      await eventually(async () =>
        expect((await eventsOf(id, 'operator.failed')).map(({ data }) => data.reason)).toEqual([
          reason,
        ]),
      );
      // Welcome, announcement, and what is said of the failure.
      await eventually(async () => {
        const { messages } = await rig.ask<Call>('GET', `/calls/v1/conversations/${id}`);
        expect(messages.filter(({ role }) => role === 'assistant')).toHaveLength(3);
      });
      expect(await statusOf(user)).toBe('ongoing');
      call.hangup();
      expect((await ended(user)).status).toBe('finished');
    },
  );

  test.runIf(isLong)(
    '[X7] a caller who hangs up while it rings: the operator is let go',
    async () => {
      const carrier = rig.carrier(name);
      // A recording that goes on keeps the legs here.
      const { number } = await rig.addNumber(carrier, office({}, { recordAfterTransfer: true }));
      const [user, operatorNumber] = [rig.person(), rig.person()];
      const ringMs = 5000;
      rig.whenDialled(operatorNumber, { outcome: 'answer', ringMs });
      let isAnswered = false;
      void rig.answered(operatorNumber).then(() => {
        isAnswered = true;
      });
      const call = await inbound(carrier, user, number);
      await forward(user, operatorNumber);
      await eventually(() => expect(rig.timesDialled(operatorNumber)).toBe(1), { everyMs: 20 });
      const rangAtMs = performance.now();
      call.hangup();
      expect((await ended(user)).status).toBe('finished');
      await eventually(() => expect(performance.now() - rangAtMs).toBeGreaterThan(ringMs + 500));
      expect(isAnswered).toBe(false);
    },
  );
});

describe.concurrent('by REFER, where the number wants it', () => {
  async function transferred() {
    const referUri = { referUri: 'sip:{number}@carrier.example' };
    const carrier = rig.carrier('asterisk');
    const { number } = await rig.addNumber(carrier, office({}), referUri);
    const [user, to] = [rig.person(), rig.person()];
    return { carrier, call: await inbound(carrier, user, number), user, to };
  }

  test.each(rowsOf({ usual: ['hangs-up'], long: ['says-so'] }))(
    '[X2] the far end takes the caller over and %s, and nobody is dialled',
    async (takesOver) => {
      const { carrier, call, user, to } = await transferred();
      rig.whenDialled(to, { outcome: 'answer', ringMs: 50, takesOver });
      await forward(user, to);
      await call.ended;
      const { carrierCallId } = call;
      expect(carrier.referred).toContainEqual({ carrierCallId, to });
      expect(await ended(user)).toMatchObject({ status: 'forwarded', endReason: 'transferred' });
      expect(carrier.dialled.filter((dialled) => dialled.to === to)).toEqual([]);
    },
  );

  test.runIf(isLong)(
    '[X2] where it will not, the caller is back, and the other telephone is dialled and joined here',
    async () => {
      const { carrier, call, user, to } = await transferred();
      rig.whenDialled(to, { outcome: 'busy', ringMs: 50 }, { outcome: 'answer', ringMs: 50 });
      await forward(user, to);
      const operator = await rig.answered(to);
      await operator.connected;
      await eventually(async () => expect(await statusOf(user)).toBe('forwarded'));
      expect(carrier.referred.filter((referred) => referred.to === to)).toEqual([]);
      await speaks(operator.handset, 700, ears(call));
      call.hangup();
      await operator.ended;
    },
  );
});

test.skipIf(isLong).concurrent('[X2] [X5] a web caller is put through to a telephone', async () => {
  const carrier = rig.carrier('twilio');
  await rig.addNumber(carrier, { welcomeMessage: '' });
  const operatorNumber = rig.person();
  const { _id: assistantId } = await rig.ask<{ _id: string }>('POST', '/assistants/v1/assistants', {
    name: 'Web',
    ...office({ phoneNumber: operatorNumber }),
  });
  const { id, webCall } = await rig.ask<ConnectedCall>('POST', '/calls/v1/conversations/connect', {
    direction: 'inbound',
    assistantId,
  });
  const caller = await WebCaller.connect({ url: webCall?.url ?? '', sampleRateHz: 48_000 });
  await eventually(() => expect(caller.playingUntilMs).toBeGreaterThan(0));
  await rig.ask('POST', `/calls/v1/conversations/${id}/control`, { type: 'forward' });
  const operator = await rig.answered(operatorNumber);
  await operator.connected;
  const read = () => rig.ask<Call>('GET', `/calls/v1/conversations/${id}`);
  await eventually(async () => expect((await read()).status).toBe('forwarded'));
  const callersEars = (hz: number) => toneMs(caller.tracks.speaker.read(), hz, 48_000);
  await Promise.all([
    speaks(operator.handset, 700, callersEars),
    speaks(caller, 500, ears(operator), 48_000),
  ]);
  caller.hangup();
  await caller.ended;
  await operator.ended;
  expect((await read()).status).toBe('forwarded');
  caller.close();
});

async function inbound(carrier: EmulatedCarrier, from: string, to: string): Promise<EmulatedCall> {
  const call = await carrier.call({ from, to });
  await call.connected;
  await eventually(() => expect(loudMs(call)).toBeGreaterThan(100));
  return call;
}

/** Has the caller put through; returns the call's id. */
async function forward(user: string, to: string): Promise<string> {
  const { id } = await conversation(user);
  await rig.ask('POST', `/calls/v1/conversations/${id}/control`, { type: 'forward', message: to });
  return id;
}

async function conversation(userNumber: string): Promise<Call> {
  const path = `/calls/v1/conversations?userNumber=${encodeURIComponent(userNumber)}`;
  const [call] = (await rig.ask<{ conversations: Call[] }>('GET', path)).conversations;
  if (!call) throw new Error(`nobody called from ${userNumber}`);
  return call;
}

const statusOf = async (userNumber: string) => (await conversation(userNumber)).status;

async function eventsOf(
  id: string,
  type: string,
): Promise<readonly { readonly data: Readonly<Record<string, unknown>> }[]> {
  const lines = (await rig.text(`/calls/v1/conversations/${id}/events`)).trim().split('\n');
  return lines.map((line) => JSON.parse(line)).filter((line) => line.type === type);
}

function ended(userNumber: string): Promise<Call> {
  return eventually(async () => {
    const call = await conversation(userNumber);
    expect(call.endAt).toBeTruthy();
    return call;
  });
}
