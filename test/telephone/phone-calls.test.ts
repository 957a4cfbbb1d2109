import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dtmfTone } from '../../src/audio/dtmf-tones.ts';
import type {
  EmulatedCall,
  EmulatedCarrier,
} from '../../src/carriers/emulator/emulated-carrier.ts';
import type { Call } from '../../src/contract/call.ts';
import { startChatEmulator } from '../support/chat-completions-emulator.ts';
import { eventually } from '../support/eventually.ts';
import { PhoneRig } from '../support/phone-rig.ts';
import { loudMs } from '../support/phone-talk.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

let rig: PhoneRig;
beforeAll(async () => {
  rig = await PhoneRig.start();
});
afterAll(() => rig?.[Symbol.asyncDispose](), 30_000);

describe.concurrent.each(['twilio', 'telnyx', 'asterisk'] as const)('%s', (name) => {
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
    const user = rig.person();
    const call = await carrier.call({ from: user, to: number });
    await call.connected;
    await heard(call, 300);
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
    const user = rig.person();
    const connected = await rig.ask<Call>('POST', '/calls/v1/conversations/connect', {
      direction: 'outbound',
      phoneNumberId: numberId,
      customer: { number: user, name: 'Ada' },
    });
    expect(connected).toMatchObject({ status: 'queued', phoneCallStatus: 'trying' });
    const call = await rig.answered(user);
    expect(call).toMatchObject({ from: number, to: user });
    await call.connected;
    await heard(call, 300);
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
      const user = rig.person();
      rig.whenDialled(user, { outcome, ringMs: 20 });
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
    },
  );

  test('a call that the carrier refuses to dial is told so, and recorded', async () => {
    const user = rig.person();
    rig.whenDialled(user, { outcome: 'refuse' });
    const answer = await rig.json('POST', '/calls/v1/conversations/connect', {
      direction: 'outbound',
      phoneNumberId: numberId,
      customer: { number: user },
    });
    expect(answer.status).toBe(502);
    expect(await finished(user)).toMatchObject({ phoneCallStatus: 'failed' });
  });

  test('a socket that drops comes back by the fall-back leg, with the same conversation', async () => {
    const user = rig.person();
    const call = await carrier.call({ from: user, to: number });
    await call.connected;
    await heard(call, 300);
    call.handset.drop();
    await isThroughAgain(call, user);
    call.hangup();
    await call.ended;
    const record = await finished(user);
    expect(record.endReason).toBe('user-hung-up');
    const { messages } = await rig.ask<Call>('GET', `/calls/v1/conversations/${record.id}`);
    // Nobody is greeted anew; that the assistant asks whether somebody is there is a matter of time.
    const greetings = messages.filter(({ text }) => text === messages[0]?.text);
    expect(greetings).toHaveLength(1);
  });

  // The others take commands for their media sockets.
  test.runIf(name === 'twilio')(
    'a fall-back request whose answer is lost on the way is repeated, and the call goes on',
    async () => {
      const user = rig.person();
      const call = await carrier.call({ from: user, to: number });
      await call.connected;
      await heard(call, 300);
      const [live] = await conversations(user);
      let lost = 0;
      carrier.faults.losesAnswer = (url) => url.includes(live?.id as string) && ++lost === 1;
      call.handset.drop();
      await isThroughAgain(call, user);
      expect(lost).toBe(2);
      call.hangup();
      await call.ended;
      expect(await finished(user)).toMatchObject({ endReason: 'user-hung-up' });
    },
  );

  test('a number whose inbound switch is off refuses the call', async () => {
    const user = rig.person();
    const off = await rig.addNumber(carrier, {});
    await rig.ask('PUT', `/assistants/v1/numbers/${off.id}`, { inboundEnabled: false });
    const call = await carrier.call({ from: user, to: off.number });
    await expect(call.connected).rejects.toThrow('ended');
    const path = `/calls/v1/conversations?userNumber=${encodeURIComponent(user)}`;
    expect((await rig.ask<{ totalCount: number }>('GET', path)).totalCount).toBe(0);
  });

  test('keys that the caller presses reach the call', async () => {
    const user = rig.person();
    const call = await carrier.call({ from: user, to: number });
    await call.connected;
    await heard(call, 100);
    call.handset.press('42');
    await heard(call, 400);
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
    const user = rig.person();
    const call = await carrier.call({ from: user, to: number });
    await call.connected;
    await heard(call, 100);
    const [live] = await conversations(user);
    const path = `/calls/v1/conversations/${live?.id}/control`;
    const { carrierCallId } = call;
    const arrived = () =>
      name === 'twilio'
        ? expect(pressedKeys(call)).toContain('7#')
        : expect(carrier.tones).toContainEqual({ carrierCallId, digits: '7#' });
    // A line on a busy machine drops what comes too late: keys that were not heard are pressed again.
    await eventually(
      async () => {
        await rig.ask('POST', path, { type: 'dtmf', message: '7#' });
        await eventually(arrived, { timeoutMs: 5000 });
      },
      { everyMs: 1 },
    );
    call.hangup();
    await finished(user);
  });
});

/** A second media socket has opened, and the caller hears what is said. */
async function isThroughAgain(call: EmulatedCall, user: string): Promise<void> {
  await eventually(() => expect(call.sockets).toBe(2));
  // What is left of the greeting may be short, and a line on a busy machine drops what comes too late.
  const [live] = await conversations(user);
  const path = `/calls/v1/conversations/${live?.id}/control`;
  const before = loudMs(call);
  await eventually(
    async () => {
      await rig.ask('POST', path, { type: 'say', message: 'You are through again.' });
      await heard(call, before + 300, 5000);
    },
    { everyMs: 1 },
  );
}

/** Resolves when the far end has so much audio of the service to play, or has played it. */
function heard(call: EmulatedCall, ms: number, timeoutMs = 60_000): Promise<void> {
  return eventually(() => expect(loudMs(call)).toBeGreaterThan(ms), { everyMs: 50, timeoutMs });
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

function finished(userNumber: string): Promise<Call> {
  return eventually(
    async () => {
      const [call] = await conversations(userNumber);
      expect(call?.status).toBe('finished');
      return call as Call;
    },
    { everyMs: 50 },
  );
}

test.concurrent('each change of a phone call is told to its server, signed and in order', async () => {
  await using server = await startWebhookReceiver();
  const secret = 'a shared secret of this test';
  const carrier = rig.carrier('twilio');
  const { id: phoneNumberId } = await rig.addNumber(carrier, {
    welcomeMessage: 'Hello.',
    assistantServer: { enabled: true, url: server.url, secret, messages: ['status-update'] },
  });
  const user = rig.person();
  // Long enough for the report that it rings to come before the answer.
  rig.whenDialled(user, { outcome: 'answer', ringMs: 5000 });
  const { id } = await rig.ask<Call>('POST', '/calls/v1/conversations/connect', {
    direction: 'outbound',
    phoneNumberId,
    customer: { number: user },
  });
  const call = await rig.answered(user);
  await heard(call, 300);
  call.hangup();
  const changes = () =>
    server.of(id).map(({ message }) => {
      const { status, phoneCallStatus } = message.call as Call;
      return `${status} ${phoneCallStatus}`;
    });
  await eventually(() => expect(changes().at(-1)).toBe('finished completed'));
  expect(changes()).toEqual(['queued ringing', 'ongoing in-progress', 'finished completed']);
  for (const { body, headers } of server.of(id)) {
    const key = Buffer.from(secret).toString('base64');
    expect(() => new Webhook(key).verify(body, headers as Record<string, string>)).not.toThrow();
  }
});

test.concurrent('vendors are connected to while the telephone still rings', async () => {
  await using model = await startChatEmulator();
  model.script({ deltas: ['Hello.'] });
  const carrier = rig.carrier('twilio');
  const { id: phoneNumberId } = await rig.addNumber(carrier, {
    assistantProvider: 'custom-llm',
    assistantLLMUrl: model.baseUrl,
  });
  const user = rig.person();
  // It rings for longer than the test takes, however slow the machine is.
  rig.whenDialled(user, { outcome: 'answer', ringMs: 600_000 });
  await rig.ask('POST', '/calls/v1/conversations/connect', {
    direction: 'outbound',
    phoneNumberId,
    customer: { number: user },
  });
  await eventually(() => expect(model.connections()).toBeGreaterThan(0), { everyMs: 20 });
  expect(await conversations(user)).toMatchObject([{ phoneCallStatus: 'ringing' }]);
});

test.concurrent.each([
  ['+15005550301', 'busy', 'busy', 'The line was busy.'],
  [
    '+15005550303',
    'failed',
    'failed',
    'The carrier could not connect the call: emulator says SIP 404.',
  ],
  ['+15005550300', 'completed', 'ended-by-control', undefined],
] as const)('the built-in carrier: %s is %s', async (customer, phoneCallStatus, endReason, why) => {
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
    await eventually(async () =>
      expect(await conversations(customer)).toMatchObject([{ status: 'ongoing' }]),
    );
    await rig.ask('POST', `/calls/v1/conversations/${id}/control`, { type: 'end', message: '' });
  }
  const call = await finished(customer);
  expect(call).toMatchObject({ phoneCallStatus, endReason });
  expect(call.failure?.message).toBe(why);
});
