import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dtmfTone } from '../../src/audio/dtmf-tones.ts';
import {
  answersSoon,
  type EmulatedCall,
  type EmulatedCarrier,
} from '../../src/carriers/emulator/emulated-carrier.ts';
import type { Call } from '../../src/contract/call.ts';
import { startChatEmulator } from '../support/chat-completions-emulator.ts';
import { PhoneRig } from '../support/phone-rig.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

let rig: PhoneRig;
beforeAll(async () => {
  rig = await PhoneRig.start();
}, 60_000);
afterAll(() => rig?.[Symbol.asyncDispose](), 30_000);

/** One caller for each test. */
let callers = 15_005_550_100;
const nextCaller = () => `+${callers++}`;

describe.each(['twilio', 'telnyx', 'asterisk'] as const)('%s', (name) => {
  let carrier: EmulatedCarrier;
  let numberId: string;
  let number: string;

  beforeAll(async () => {
    carrier = rig.carrier(name);
    ({ id: numberId, number } = await rig.addNumber(carrier, {
      welcomeMessage: 'Hello, you have reached the bicycle shop. How can I help you today?',
    }));
  });

  test('an inbound call is answered, heard, and hung up by the caller', async () => {
    const user = nextCaller();
    const call = await carrier.call({ from: user, to: number });
    await call.connected;
    await heard(call, 1000);
    call.hangup();
    await call.ended;
    const record = await finished(user);
    expect(record).toMatchObject({
      callType: 'phone',
      direction: 'inbound',
      status: 'finished',
      phoneCallStatus: 'completed',
      endReason: 'user-hung-up',
      userNumber: user,
      assistantNumber: number,
    });
    expect(call.handset.refusals).toEqual([]);
  });

  test('an outbound call rings, is answered, and is hung up by the service', async () => {
    const user = nextCaller();
    const answered = Promise.withResolvers<EmulatedCall>();
    carrier.onAnswered = answered.resolve;
    const connected = await rig.ask<Call>('POST', '/calls/v1/conversations/connect', {
      direction: 'outbound',
      phoneNumberId: numberId,
      customer: { number: user, name: 'Ada' },
    });
    expect(connected).toMatchObject({ status: 'queued', phoneCallStatus: 'trying' });
    const call = await answered.promise;
    expect(call).toMatchObject({ from: number, to: user });
    await call.connected;
    await heard(call, 500);
    await rig.ask('POST', `/calls/v1/conversations/${connected.id}/control`, {
      type: 'end',
      message: 'Goodbye.',
    });
    await call.ended;
    expect(await finished(user)).toMatchObject({
      direction: 'outbound',
      phoneCallStatus: 'completed',
      endReason: 'ended-by-control',
      callEndTriggerBy: 'assistant',
    });
  });

  test.each(['busy', 'no-answer', 'failed'] as const)(
    'a dialled line that is %s',
    async (outcome) => {
      const user = nextCaller();
      carrier.behaviour = () => ({ outcome, ringMs: 20 });
      await rig.ask('POST', '/calls/v1/conversations/connect', {
        direction: 'outbound',
        phoneNumberId: numberId,
        customer: { number: user },
      });
      const record = await finished(user);
      expect(record).toMatchObject({
        status: 'finished',
        phoneCallStatus: outcome,
        endReason: outcome,
      });
      carrier.behaviour = answersSoon;
    },
  );

  test('a call that the carrier refuses to dial is told so, and recorded', async () => {
    const user = nextCaller();
    carrier.behaviour = () => ({ outcome: 'refuse' });
    const answer = await rig.json('POST', '/calls/v1/conversations/connect', {
      direction: 'outbound',
      phoneNumberId: numberId,
      customer: { number: user },
    });
    expect(answer.status).toBe(502);
    expect(await finished(user)).toMatchObject({ phoneCallStatus: 'failed' });
    carrier.behaviour = answersSoon;
  });

  test('a socket that drops comes back by the fall-back leg, with the same conversation', async () => {
    const user = nextCaller();
    const call = await carrier.call({ from: user, to: number });
    await call.connected;
    await heard(call, 500);
    call.handset.drop();
    await expect.poll(() => call.sockets, { timeout: 5000 }).toBe(2);
    const before = loudMs(call);
    await expect.poll(() => loudMs(call), { timeout: 10_000 }).toBeGreaterThan(before + 500);
    call.hangup();
    await call.ended;
    const record = await finished(user);
    expect(record.endReason).toBe('user-hung-up');
    const own = await rig.ask<Call>('GET', `/calls/v1/conversations/${record.id}`);
    expect(own.messages.filter(({ role }) => role === 'assistant')).toHaveLength(1);
  });

  test('a number whose inbound switch is off refuses the call', async () => {
    const user = nextCaller();
    await rig.ask('PUT', `/assistants/v1/numbers/${numberId}`, { inboundEnabled: false });
    const call = await carrier.call({ from: user, to: number });
    await expect(call.connected).rejects.toThrow('ended');
    await rig.ask('PUT', `/assistants/v1/numbers/${numberId}`, { inboundEnabled: true });
    const path = `/calls/v1/conversations?userNumber=${encodeURIComponent(user)}`;
    expect((await rig.ask<{ totalCount: number }>('GET', path)).totalCount).toBe(0);
  });

  test('keys that the caller presses reach the call', async () => {
    const user = nextCaller();
    const call = await carrier.call({ from: user, to: number });
    await call.connected;
    await heard(call, 300);
    call.handset.press('42');
    await heard(call, 600);
    call.hangup();
    const record = await finished(user);
    const lines = (await rig.text(`/calls/v1/conversations/${record.id}/events`))
      .trim()
      .split('\n');
    const events = lines.map((line) => JSON.parse(line));
    const keys = events.filter(({ kind, type }) => kind === 'event' && type === 'dtmf');
    expect(keys.map(({ data }) => data.digit)).toEqual(['4', '2']);
  });

  test('keys that control presses reach the far end', async () => {
    const user = nextCaller();
    const call = await carrier.call({ from: user, to: number });
    await call.connected;
    await heard(call, 100);
    const [live] = await conversations(user);
    const path = `/calls/v1/conversations/${live?.id}/control`;
    await rig.ask('POST', path, { type: 'dtmf', message: '7#' });
    const { carrierCallId } = call;
    if (name === 'twilio') await expect.poll(() => pressedKeys(call)).toContain('7#');
    else await expect.poll(() => carrier.tones).toContainEqual({ carrierCallId, digits: '7#' });
    call.hangup();
    await finished(user);
  });
});

/** Resolves when the far end has so much audio of the service to play, or has played it. */
async function heard(call: EmulatedCall, ms: number): Promise<void> {
  await expect.poll(() => loudMs(call), { timeout: 15_000 }).toBeGreaterThan(ms);
}

function loudMs(call: EmulatedCall): number {
  return call.handset.tracks.speaker.read().filter((sample) => Math.abs(sample) > 200).length / 8;
}

/** The keys in what the far end heard: where exactly two of the eight tones stand out. */
function pressedKeys(call: EmulatedCall): string {
  const pcm = call.handset.tracks.speaker.read();
  let keys = '';
  let last = '';
  for (let at = 0; at + 400 <= pcm.length; at += 200) {
    const key = keyOf(pcm.subarray(at, at + 400));
    if (key !== last) keys += key;
    last = key;
  }
  return keys;
}

function keyOf(pcm: Int16Array): string {
  const scores = [...'123A456B789C*0#D'].map((key) => {
    const tone = dtmfTone(key, 8000).subarray(0, pcm.length);
    return [key, correlation(pcm, tone)] as const;
  });
  const [best = ['', 0], second = ['', 0]] = scores.toSorted(([, a], [, b]) => b - a);
  return best[1] > 0.5 && best[1] > 1.5 * second[1] ? best[0] : '';
}

/** How much of the sound a tone explains, whatever its phase: by both of its frequencies' energies. */
function correlation(pcm: Int16Array, tone: Int16Array): number {
  const power = pcm.reduce((sum, sample) => sum + sample * sample, 1);
  let best = 0;
  for (let shift = 0; shift < 24; shift++) {
    let dot = 0;
    let own = 1;
    for (let i = 0; i + shift < pcm.length; i++) {
      dot += (pcm[i + shift] as number) * (tone[i] as number);
      own += (tone[i] as number) ** 2;
    }
    best = Math.max(best, (dot * dot) / (own * power));
  }
  return best;
}

async function conversations(userNumber: string): Promise<readonly Call[]> {
  const path = `/calls/v1/conversations?userNumber=${encodeURIComponent(userNumber)}`;
  return (await rig.ask<{ conversations: Call[] }>('GET', path)).conversations;
}

async function finished(userNumber: string): Promise<Call> {
  const list = async () => (await conversations(userNumber))[0];
  await expect.poll(async () => (await list())?.status, { timeout: 10_000 }).toBe('finished');
  return (await list()) as Call;
}

test('each change of a phone call is told to its server, signed and in order', async () => {
  await using server = await startWebhookReceiver();
  const secret = 'a shared secret of this test';
  const carrier = rig.carrier('twilio');
  const { id: phoneNumberId } = await rig.addNumber(carrier, {
    welcomeMessage: 'Hello.',
    assistantServer: { enabled: true, url: server.url, secret, messages: ['status-update'] },
  });
  const answered = Promise.withResolvers<EmulatedCall>();
  carrier.onAnswered = answered.resolve;
  const { id } = await rig.ask<Call>('POST', '/calls/v1/conversations/connect', {
    direction: 'outbound',
    phoneNumberId,
    customer: { number: nextCaller() },
  });
  const call = await answered.promise;
  await heard(call, 300);
  call.hangup();
  const changes = () =>
    server.of(id).map(({ message }) => {
      const { status, phoneCallStatus } = message.call as Call;
      return `${status} ${phoneCallStatus}`;
    });
  await expect.poll(() => changes().at(-1), { timeout: 15_000 }).toBe('finished completed');
  expect(changes()).toEqual(['queued ringing', 'ongoing in-progress', 'finished completed']);
  for (const { body, headers } of server.of(id)) {
    const key = Buffer.from(secret).toString('base64');
    expect(() => new Webhook(key).verify(body, headers as Record<string, string>)).not.toThrow();
  }
}, 40_000);

test('vendors are connected to while the telephone still rings', async () => {
  await using model = await startChatEmulator();
  model.script({ deltas: ['Hello.'] });
  const carrier = rig.carrier('twilio');
  const { id: phoneNumberId } = await rig.addNumber(carrier, {
    assistantProvider: 'custom-llm',
    assistantLLMUrl: model.baseUrl,
  });
  carrier.behaviour = () => ({ outcome: 'answer', ringMs: 6000 });
  let answered = false;
  carrier.onAnswered = (call) => {
    answered = true;
    call.hangup();
  };
  const user = nextCaller();
  await rig.ask('POST', '/calls/v1/conversations/connect', {
    direction: 'outbound',
    phoneNumberId,
    customer: { number: user },
  });
  await expect.poll(() => model.connections(), { timeout: 5500 }).toBeGreaterThan(0);
  expect(answered).toBe(false);
  await finished(user);
  carrier.behaviour = answersSoon;
}, 40_000);

test.each([
  ['+15005550301', 'busy', 'busy'],
  ['+15005550303', 'failed', 'failed'],
  ['+15005550300', 'completed', 'ended-by-control'],
] as const)('the built-in carrier: %s is %s', async (customer, phoneCallStatus, endReason) => {
  const assistants = await rig.ask<{ _id: string }[]>('GET', '/assistants/v1/assistants');
  const number = `+1500555090${customer.at(-1)}`;
  const path = '/assistants/v1/numbers/emulator';
  const { _id: phoneNumberId } = await rig.ask<{ _id: string }>('POST', path, { number });
  const { id } = await rig.ask<Call>('POST', '/calls/v1/conversations/connect', {
    direction: 'outbound',
    phoneNumberId,
    assistantId: assistants[0]?._id,
    customer: { number: customer },
  });
  if (phoneCallStatus === 'completed') {
    const status = async () => (await conversations(customer))[0]?.status;
    await expect.poll(status, { timeout: 10_000 }).toBe('ongoing');
    await rig.ask('POST', `/calls/v1/conversations/${id}/control`, { type: 'end', message: '' });
  }
  expect(await finished(customer)).toMatchObject({ phoneCallStatus, endReason });
});
