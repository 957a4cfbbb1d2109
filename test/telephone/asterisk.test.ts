import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createAsteriskCarrier } from '../../src/carriers/asterisk/carrier.ts';
import { startAsteriskEmulator } from '../../src/carriers/emulator/asterisk-side.ts';
import type { EmulatedCarrier } from '../../src/carriers/emulator/emulated-carrier.ts';
import type { Call } from '../../src/contract/call.ts';
import { carrierLimitDefaults } from '../../src/gateway/carrier-limits.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import type { CarrierCredentials } from '../../src/ports/carrier.ts';
import { isLong } from '../support/effort.ts';
import { eventually } from '../support/eventually.ts';
import { PhoneRig } from '../support/phone-rig.ts';
import { ears, speaks } from '../support/phone-talk.ts';

/** What a real Asterisk was seen to do, each in the emulated one, and what the service makes of it. */

let rig: PhoneRig;
let carrier: EmulatedCarrier;
beforeAll(async () => {
  rig = await PhoneRig.start();
  carrier = rig.carrier('asterisk');
});
afterAll(() => rig?.[Symbol.asyncDispose](), 30_000);
afterEach(() => {
  carrier.faults.answers.length = 0;
});

const assistant = { welcomeMessage: 'Hello, this is the bicycle shop.' };
async function callOf(userNumber: string): Promise<Call> {
  const path = `/calls/v1/conversations?userNumber=${encodeURIComponent(userNumber)}`;
  const { conversations } = await rig.ask<{ conversations: Call[] }>('GET', path);
  const [call] = conversations;
  if (!call) throw new Error(`nobody called from ${userNumber}`);
  return call;
}

async function ended(userNumber: string): Promise<Call> {
  await expect.poll(async () => (await callOf(userNumber)).endAt).toBeTruthy();
  return callOf(userNumber);
}

const ari = async (method: string, path: string) => {
  const { ariUrl, user, password } = carrier.credentials as CarrierCredentials['asterisk'];
  const headers = { authorization: `Basic ${btoa(`${user}:${password}`)}` };
  const answer = await fetch(`${ariUrl}${path}`, { method, headers });
  const text = await answer.text();
  return { status: answer.status, body: text ? JSON.parse(text) : undefined };
};

test('a token is sent as the WebSocket channel takes it: some characters of it close the whole channel', async () => {
  await using pbx = await startAsteriskEmulator({ clock: systemClock });
  const account = createAsteriskCarrier({ clock: systemClock }).open(
    pbx.credentials as CarrierCredentials['asterisk'],
  );
  const arrived = Promise.withResolvers<string>();
  const events = account.openEvents?.({
    event: (event) => event.type === 'call-arrived' && arrived.resolve(event.carrierCallId),
    mayArrive: () => true,
    connected: (isConnected) =>
      isConnected && void pbx.call({ from: '+15005550600', to: '+15005550199' }),
    problem: () => undefined,
  });
  const carrierCallId = await arrived.promise;
  const signal = AbortSignal.timeout(5000);
  const routes = {
    mediaUrl: "ws://127.0.0.1:9/media/asterisk/a~b!c*d'e(f)g",
    fallbackUrl: '',
    statusUrl: '',
  };
  await account.connectMedia({ carrierCallId, answer: true, attempt: 0 }, routes, signal);
  await events?.close();
  const { ariUrl, user, password } = pbx.credentials as CarrierCredentials['asterisk'];
  const raw = await fetch(
    `${ariUrl}/channels/externalMedia?${new URLSearchParams({
      channelId: `media.1.${carrierCallId}`,
      transport: 'websocket',
      encapsulation: 'none',
      format: 'ulaw',
      external_host: 'parley',
      transport_data: 'f(json)v(token=a~b)',
    })}`,
    { method: 'POST', headers: { authorization: `Basic ${btoa(`${user}:${password}`)}` } },
  );
  expect(raw.status).toBe(500);
});

test.skipIf(isLong)(
  'a caller who hangs up is gone at once, and leaves no bridge: their channel is watched to its end',
  async () => {
    const { number } = await rig.addNumber(carrier, assistant);
    const user = rig.person();
    const call = await carrier.call({ from: user, to: number });
    await call.connected;
    await expect.poll(async () => (await callOf(user)).status).toBe('ongoing');
    call.hangup();
    // Not `connection-lost`, which a channel comes to that nobody watches.
    expect(await ended(user)).toMatchObject({ endReason: 'user-hung-up' });
    expect(call.sockets).toBe(1);
    const bridges = async () =>
      ((await ari('GET', '/bridges')).body as { id: string }[]).filter(({ id }) =>
        id.endsWith(call.carrierCallId),
      );
    await expect.poll(bridges).toEqual([]);
  },
);

test('media that fails once is asked for again, and nobody notices', async () => {
  const { number } = await rig.addNumber(carrier, assistant);
  carrier.faults.answers.push({ path: '/channels/externalMedia', status: 500 });
  const user = rig.person();
  const call = await carrier.call({ from: user, to: number });
  await call.connected;
  call.hangup();
  expect(await ended(user)).toMatchObject({ endReason: 'user-hung-up' });
});

test('media that fails twice ends the call with a reason, before it is answered', async () => {
  const { number } = await rig.addNumber(carrier, assistant);
  for (let i = 0; i < 2; i++)
    carrier.faults.answers.push({ path: '/channels/externalMedia', status: 500 });
  const user = rig.person();
  const call = await carrier.call({ from: user, to: number });
  await call.ended;
  expect(await ended(user)).toMatchObject({ endReason: 'no-media', phoneCallStatus: 'failed' });
});

test.runIf(isLong)(
  'an operator whose sound cannot be connected is let go, and the caller is told',
  async () => {
    const { number } = await rig.addNumber(carrier, {
      ...assistant,
      assistantPredefinedTools: { callForward: true },
    });
    const user = rig.person();
    const call = await carrier.call({ from: user, to: number });
    await call.connected;
    await expect.poll(async () => (await callOf(user)).status).toBe('ongoing');
    const { id } = await callOf(user);
    const operator = rig.person();
    for (let i = 0; i < 2; i++)
      carrier.faults.answers.push({ path: '/channels/externalMedia', status: 500 });
    await rig.ask('POST', `/calls/v1/conversations/${id}/control`, {
      type: 'forward',
      message: operator,
    });
    await (await rig.answered(operator)).ended;
    const failures = async () =>
      (await rig.text(`/calls/v1/conversations/${id}/events`))
        .split('\n')
        .filter((line) => line.includes('"operator.failed"'));
    await expect.poll(failures).toHaveLength(1);
    expect((await callOf(user)).status).toBe('ongoing');
    call.hangup();
    await ended(user);
  },
);

test.runIf(isLong)(
  'a caller who sends nothing is kept, and silence is sent to them all the time',
  async () => {
    const { number } = await rig.addNumber(carrier, assistant);
    const user = rig.person();
    const call = await carrier.call({ from: user, to: number });
    call.handset.suppressesSilence = true;
    await call.connected;
    await expect.poll(async () => (await callOf(user)).status).toBe('ongoing');
    // Longer than a socket may be silent, and than it may leave a ping unanswered.
    const { silentMs, pongMs } = carrierLimitDefaults;
    const untilMs = call.handset.receivedMs + silentMs + pongMs + 1000;
    await eventually(() => expect(call.handset.receivedMs).toBeGreaterThan(untilMs));
    expect(call.sockets).toBe(1);
    call.hangup();
    expect(await ended(user)).toMatchObject({ endReason: 'user-hung-up' });
  },
);

/** A process that follows the events of an Asterisk. */
async function follow(pbx: EmulatedCarrier) {
  const account = createAsteriskCarrier({ clock: systemClock }).open(
    pbx.credentials as CarrierCredentials['asterisk'],
  );
  const connected = Promise.withResolvers<void>();
  const told: string[] = [];
  const arrived = Promise.withResolvers<string>();
  const events = account.openEvents?.({
    event: (event) => {
      told.push(event.type === 'call-status' ? `${event.status} ${event.cause}` : event.type);
      if (event.type === 'call-arrived') arrived.resolve(event.carrierCallId);
    },
    mayArrive: () => true,
    connected: (isConnected) => isConnected && connected.resolve(),
    problem: () => undefined,
  });
  await connected.promise;
  if (!events) throw new Error('asterisk has events');
  return { account, events, told, arrived };
}

test('a telephone that was dialled and rings is not taken for a caller by the process that follows the events next', async () => {
  await using pbx = await startAsteriskEmulator({ clock: systemClock });
  const signal = AbortSignal.timeout(10_000);
  pbx.behaviour = () => ({ outcome: 'answer', ringMs: 60_000 });
  const first = await follow(pbx);
  const dialled = { callId: 'CC-1', to: '+15005550602', from: '+15005550199' };
  const urls = { answerUrl: '', statusUrl: '', ringSeconds: 90, maxSeconds: 90 };
  const carrierCallId = await first.account.dial({ ...dialled, ...urls, signal });
  await first.events.close();
  const second = await follow(pbx);
  expect(await second.events.standing(signal)).toEqual([carrierCallId]);
  expect(second.told).toEqual([]);
  await second.account.hangup(carrierCallId, signal);
  await expect.poll(() => second.told).toEqual([expect.stringContaining('q850-16')]);
  await second.events.close();
});

test.skipIf(isLong)(
  'sound that is lost while nobody follows the events is asked for again',
  async () => {
    const { number } = await rig.addNumber(carrier, {
      ...assistant,
      assistantPredefinedTools: { callForward: true },
    });
    const [user, to] = [rig.person(), rig.person()];
    const call = await carrier.call({ from: user, to: number });
    await call.connected;
    await expect.poll(async () => (await callOf(user)).status).toBe('ongoing');
    const { id } = await callOf(user);
    await rig.ask('POST', `/calls/v1/conversations/${id}/control`, {
      type: 'forward',
      message: to,
    });
    const operator = await rig.answered(to);
    await expect.poll(async () => (await callOf(user)).status).toBe('forwarded');
    carrier.faults.breakEvents?.();
    for (const { handset } of [call, operator]) handset.drop();
    await Promise.all([
      speaks(operator.handset, 700, ears(call)),
      speaks(call.handset, 500, ears(operator)),
    ]);
    expect([call.sockets, operator.sockets]).toEqual([2, 2]);
    call.hangup();
    await ended(user);
  },
);

test('a call that its service left behind is hung up, one that ended unheard is ended, as soon as both sides compare', async () => {
  await using pbx = await startAsteriskEmulator({ clock: systemClock });
  const signal = AbortSignal.timeout(10_000);
  const first = await follow(pbx);
  const call = await pbx.call({ from: '+15005550600', to: '+15005550199' });
  const carrierCallId = await first.arrived.promise;
  // Killed: nothing is hung up.
  await first.events.close();
  const second = await follow(pbx);
  expect(await second.events.standing(signal)).toEqual([carrierCallId]);
  // It still waits to be answered, and is told of again; and is followed from now on.
  call.hangup();
  await expect
    .poll(() => second.told)
    .toEqual(['call-arrived', expect.stringContaining('q850-16')]);
  await second.events.close();

  const third = await follow(pbx);
  const another = await pbx.call({ from: '+15005550601', to: '+15005550199' });
  await third.arrived.promise;
  await third.events.standing(signal);
  await third.events.close();
  another.hangup();
  expect(await third.events.standing(signal)).toEqual([]);
});

test('while the application is away the dialplan waits, and the call is taken when it is back', async () => {
  await using pbx = await startAsteriskEmulator({ clock: systemClock });
  const call = await pbx.call({ from: '+15005550600', to: '+15005550199' });
  const account = createAsteriskCarrier({ clock: systemClock }).open(
    pbx.credentials as CarrierCredentials['asterisk'],
  );
  const arrived = Promise.withResolvers<string>();
  const events = account.openEvents?.({
    event: (event) => event.type === 'call-arrived' && arrived.resolve(event.carrierCallId),
    mayArrive: () => true,
    connected: () => undefined,
    problem: () => undefined,
  });
  expect(await arrived.promise).toBe(call.carrierCallId);
  await events?.close();
  call.hangup();
});
