import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  answersSoon,
  type DialledBehaviour,
  type EmulatedCall,
  type EmulatedCarrier,
} from '../../src/carriers/emulator/emulated-carrier.ts';
import { WebCaller } from '../../src/cli/web-caller.ts';
import type { Call, ConnectedCall } from '../../src/contract/call.ts';
import { PhoneRig } from '../support/phone-rig.ts';
import { tone, toneMs } from '../support/tones.ts';

let rig: PhoneRig;
beforeAll(async () => {
  rig = await PhoneRig.start();
}, 60_000);
afterAll(() => rig?.[Symbol.asyncDispose](), 30_000);

let people = 15_005_550_400;
const nextPerson = () => `+${people++}`;

const WELCOME = 'Hello, this is the bicycle shop.';
const office = (callForwardData: object, more: object = {}) => ({
  welcomeMessage: WELCOME,
  recordingEnabled: true,
  assistantPredefinedTools: { callForward: true },
  callForwardData: { name: 'Anna', ...callForwardData },
  ...more,
});

const UNREACHED = {
  twilio: ['busy', 'refuse'],
  telnyx: ['no-answer'],
  asterisk: ['failed'],
} as const;

describe.each(['twilio', 'telnyx', 'asterisk'] as const)('%s', (name) => {
  let carrier: EmulatedCarrier;
  beforeAll(() => {
    carrier = rig.carrier(name);
  });
  afterEach(() => {
    carrier.behaviour = answersSoon;
    carrier.onAnswered = undefined;
  });

  test('[X2] [X5] a caller is put through to another telephone, and both hear each other', async () => {
    const { number } = await rig.addNumber(carrier, office({}, { recordAfterTransfer: true }));
    const [user, operatorNumber] = [nextPerson(), nextPerson()];
    const call = await inbound(carrier, user, number);
    const operator = await forwarded(carrier, user, operatorNumber);
    expect(operator).toMatchObject({ from: number, to: operatorNumber });
    await operator.connected;
    await expect.poll(() => statusOf(user), { timeout: 10_000 }).toBe('forwarded');

    const [before, operatorBefore] = [heardOf(call, 700), heardOf(operator, 500)];
    await call.handset.say(tone(500, 1500)).spoken;
    await operator.handset.say(tone(700, 1500)).spoken;
    await expect.poll(() => heardOf(operator, 500) - operatorBefore).toBeGreaterThan(1200);
    await expect.poll(() => heardOf(call, 700) - before).toBeGreaterThan(1200);

    operator.hangup();
    await call.ended;
    const record = await ended(user);
    expect(record).toMatchObject({
      status: 'forwarded',
      phoneCallStatus: 'completed',
      endReason: 'transferred',
    });
    expect(call.handset.refusals).toEqual([]);
    expect(operator.handset.refusals).toEqual([]);
  }, 40_000);

  test.each(UNREACHED[name])(
    '[X6] an operator whose line is %s: the assistant has the caller again',
    async (outcome) => {
      const { number } = await rig.addNumber(carrier, office({}));
      const user = nextPerson();
      const call = await inbound(carrier, user, number);
      carrier.behaviour = () => ({ outcome, ringMs: 50 }) as DialledBehaviour;
      const { id } = await conversation(user);
      await rig.ask('POST', `/calls/v1/conversations/${id}/control`, {
        type: 'forward',
        message: nextPerson(),
      });
      const reason = outcome === 'busy' || outcome === 'no-answer' ? outcome : 'line-error';
      const failures = async () =>
        (await eventsOf(id, 'operator.failed')).map(({ data }) => data.reason);
      await expect.poll(failures, { timeout: 15_000 }).toEqual([reason]);
      const replies = async () =>
        (await rig.ask<Call>('GET', `/calls/v1/conversations/${id}`)).messages;
      // Welcome, announcement, and what is said of the failure.
      await expect
        .poll(async () => (await replies()).filter(({ role }) => role === 'assistant').length, {
          timeout: 15_000,
        })
        .toBe(3);
      expect(await statusOf(user)).toBe('ongoing');
      call.hangup();
      expect((await ended(user)).status).toBe('finished');
    },
    40_000,
  );

  test('[X7] a caller who hangs up while it rings: the operator is let go', async () => {
    // A recording that goes on keeps the legs here.
    const { number } = await rig.addNumber(carrier, office({}, { recordAfterTransfer: true }));
    const user = nextPerson();
    const call = await inbound(carrier, user, number);
    let rang = 0;
    let answered = 0;
    carrier.onAnswered = () => answered++;
    carrier.behaviour = () => {
      rang++;
      return { outcome: 'answer', ringMs: 1000 };
    };
    const { id } = await conversation(user);
    await rig.ask('POST', `/calls/v1/conversations/${id}/control`, {
      type: 'forward',
      message: nextPerson(),
    });
    await expect.poll(() => rang, { timeout: 10_000 }).toBe(1);
    call.hangup();
    expect((await ended(user)).status).toBe('finished');
    const since = performance.now();
    await expect.poll(() => performance.now() - since, { timeout: 5000 }).toBeGreaterThan(1500);
    expect(answered).toBe(0);
  }, 40_000);
});

describe('by REFER, where the number wants it', () => {
  const referUri = { referUri: 'sip:{number}@carrier.example' };
  let carrier: EmulatedCarrier;
  beforeAll(() => {
    carrier = rig.carrier('asterisk');
    carrier.behaviour = answersSoon;
  });
  afterEach(() => {
    carrier.behaviour = answersSoon;
    carrier.onAnswered = undefined;
    delete carrier.takesOver;
  });

  async function transferred() {
    const { number } = await rig.addNumber(carrier, office({}), referUri);
    const [user, to] = [nextPerson(), nextPerson()];
    const call = await inbound(carrier, user, number);
    return { call, user, to };
  }

  test.each(['hangs-up', 'says-so'] as const)(
    '[X2] the far end takes the caller over and %s, and nobody is dialled',
    async (takesOver) => {
      carrier.takesOver = takesOver;
      const { call, user, to } = await transferred();
      const dialled = carrier.dialled.length;
      const { id } = await conversation(user);
      await rig.ask('POST', `/calls/v1/conversations/${id}/control`, {
        type: 'forward',
        message: to,
      });
      await call.ended;
      const { carrierCallId } = call;
      expect(carrier.referred).toContainEqual({ carrierCallId, to });
      expect(await ended(user)).toMatchObject({ status: 'forwarded', endReason: 'transferred' });
      expect(carrier.dialled.length).toBe(dialled);
    },
    40_000,
  );

  test('[X2] where it will not, the caller is back, and the other telephone is dialled and joined here', async () => {
    const { call, user, to } = await transferred();
    let asked = 0;
    carrier.behaviour = () =>
      asked++ === 0 ? { outcome: 'busy', ringMs: 50 } : { outcome: 'answer', ringMs: 50 };
    const operator = await forwarded(carrier, user, to);
    await operator.connected;
    await expect.poll(() => statusOf(user), { timeout: 10_000 }).toBe('forwarded');
    expect(carrier.referred.filter((referred) => referred.to === to)).toEqual([]);
    const heard = heardOf(call, 700);
    await operator.handset.say(tone(700, 1500)).spoken;
    await expect.poll(() => heardOf(call, 700) - heard).toBeGreaterThan(1200);
    call.hangup();
    await operator.ended;
  }, 40_000);
});

test('[X2] [X5] a web caller is put through to a telephone', async () => {
  const carrier = rig.carrier('twilio');
  await rig.addNumber(carrier, { welcomeMessage: '' });
  const operatorNumber = nextPerson();
  const { _id: assistantId } = await rig.ask<{ _id: string }>('POST', '/assistants/v1/assistants', {
    name: 'Web',
    ...office({ phoneNumber: operatorNumber }),
  });
  const { id, webCall } = await rig.ask<ConnectedCall>('POST', '/calls/v1/conversations/connect', {
    direction: 'inbound',
    assistantId,
  });
  const caller = await WebCaller.connect({ url: webCall?.url ?? '', sampleRateHz: 48_000 });
  const answered = Promise.withResolvers<EmulatedCall>();
  carrier.onAnswered = answered.resolve;
  await expect.poll(() => caller.playingUntilMs, { timeout: 15_000 }).toBeGreaterThan(0);
  await rig.ask('POST', `/calls/v1/conversations/${id}/control`, { type: 'forward' });
  const operator = await answered.promise;
  expect(operator.to).toBe(operatorNumber);
  await operator.connected;
  const read = () => rig.ask<Call>('GET', `/calls/v1/conversations/${id}`);
  await expect.poll(async () => (await read()).status, { timeout: 10_000 }).toBe('forwarded');
  caller.say(tone(500, 1500, 48_000));
  await operator.handset.say(tone(700, 1500)).spoken;
  await expect.poll(() => heardOf(operator, 500)).toBeGreaterThan(1000);
  const heardByCaller = () => toneMs(caller.tracks.speaker.read(), 700, 48_000);
  await expect.poll(heardByCaller).toBeGreaterThan(1000);
  caller.hangup();
  await caller.ended;
  await operator.ended;
  expect((await read()).status).toBe('forwarded');
  caller.close();
}, 40_000);

async function inbound(carrier: EmulatedCarrier, from: string, to: string): Promise<EmulatedCall> {
  const call = await carrier.call({ from, to });
  await call.connected;
  await expect.poll(() => loudMs(call), { timeout: 15_000 }).toBeGreaterThan(100);
  return call;
}

async function forwarded(
  carrier: EmulatedCarrier,
  user: string,
  to: string,
): Promise<EmulatedCall> {
  const answered = Promise.withResolvers<EmulatedCall>();
  carrier.onAnswered = answered.resolve;
  const { id } = await conversation(user);
  await rig.ask('POST', `/calls/v1/conversations/${id}/control`, { type: 'forward', message: to });
  return answered.promise;
}

const heardOf = (call: EmulatedCall, hz: number) =>
  toneMs(call.handset.tracks.speaker.read(), hz, 8000);

function loudMs(call: EmulatedCall): number {
  return call.handset.tracks.speaker.read().filter((sample) => Math.abs(sample) > 200).length / 8;
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

async function ended(userNumber: string): Promise<Call> {
  await expect
    .poll(async () => (await conversation(userNumber)).endAt, { timeout: 15_000 })
    .toBeTruthy();
  return conversation(userNumber);
}
