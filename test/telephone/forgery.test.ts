import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { EmulatedCarrier } from '../../src/carriers/emulator/emulated-carrier.ts';
import { createTwilioWire } from '../../src/carriers/emulator/twilio-wire.ts';
import { signTwilio } from '../../src/carriers/twilio/signature.ts';
import type { Call } from '../../src/contract/call.ts';
import { PhoneRig } from '../support/phone-rig.ts';

let rig: PhoneRig;
let carrier: EmulatedCarrier<'twilio'>;
let own: { id: string; number: string };
/** A number of somebody else, on an account of their own. */
let other: { number: string; authToken: string };

beforeAll(async () => {
  rig = await PhoneRig.start();
  carrier = rig.carrier('twilio') as EmulatedCarrier<'twilio'>;
  own = await rig.addNumber(carrier, { welcomeMessage: 'Hello.' });
  other = { number: '+15005550777', authToken: 'f'.repeat(32) };
  answerAsOwner(other.number);
  await rig.ask('POST', '/assistants/v1/numbers/twilio', {
    number: other.number,
    credentials: { accountSid: `AC${'e'.repeat(32)}`, authToken: other.authToken },
  });
});
afterAll(() => rig?.[Symbol.asyncDispose](), 30_000);

/** The carrier says once that the account that asks has the number, whichever account it is. */
function answerAsOwner(number: string): void {
  const json = { incoming_phone_numbers: [{ sid: `PN${'7'.repeat(32)}`, phone_number: number }] };
  carrier.faults.answers.push({ path: '/IncomingPhoneNumbers', status: 200, json });
}

let count = 0;
const newSid = () => `CA${String(++count).padStart(32, '0')}`;
const user = '+15005550100';

function arrival(to: string, sid: string): Record<string, string> {
  return { CallSid: sid, CallStatus: 'ringing', Direction: 'inbound', From: user, To: to };
}

async function post(
  path: string,
  fields: Record<string, string>,
  token?: string,
  at: string = rig.url,
) {
  const url = at + path;
  const body = new URLSearchParams(fields);
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(token ? { 'x-twilio-signature': signTwilio(token, url, [...body]) } : {}),
    },
    body: body.toString(),
  });
  return { status: response.status, body: await response.text() };
}

const VOICE = '/carriers/twilio/voice';
const mediaUrl = (markup: string) => /<Stream url="([^"]+)"/.exec(markup)?.[1] ?? '';

/** Opens a media socket and names this call. */
async function start(url: string, callSid: string): Promise<WebSocket> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const wire = createTwilioWire({ streamSid: 'MZ1', accountSid: 'AC1', callSid, parameters: {} });
  for (const frame of wire.start()) socket.send(frame);
  return socket;
}

/** Presents a media socket as this call's; resolves with its close code, or `open` when it was taken. */
async function present(url: string, callSid: string): Promise<number | 'open'> {
  const socket = await start(url, callSid);
  const outcome = await Promise.race([
    once(socket, 'close').then(([code]) => code as number),
    once(socket, 'message').then(() => 'open' as const),
  ]);
  socket.terminate();
  return outcome;
}

const callsOf = async () =>
  (await rig.ask<{ totalCount: number }>('GET', '/calls/v1/conversations')).totalCount;

test('a webhook without a signature, with a forged one, or of nobody, is refused and makes no call', async () => {
  const before = await callsOf();
  const { authToken } = carrier.credentials;
  expect((await post(VOICE, arrival(own.number, newSid()))).status).toBe(403);
  expect((await post(VOICE, arrival(own.number, newSid()), 'a'.repeat(32))).status).toBe(403);
  expect((await post(VOICE, arrival('+15005550999', newSid()), authToken)).status).toBe(403);
  expect((await post(VOICE, {}, authToken)).status).toBe(403);
  expect(
    (await post('/carriers/telnyx/voice', arrival(own.number, newSid()), authToken)).status,
  ).toBe(403);
  expect(
    (await post('/carriers/asterisk/voice', arrival(own.number, newSid()), authToken)).status,
  ).toBe(403);
  expect(
    (await post('/carriers/nobody/voice', arrival(own.number, newSid()), authToken)).status,
  ).toBe(404);
  expect(await callsOf()).toBe(before);
});

test('a webhook that is too large is refused in the shape of the API', async () => {
  const { status, body } = await post(VOICE, {
    ...arrival(own.number, newSid()),
    Pad: 'x'.repeat(140_000),
  });
  expect({ status, body: JSON.parse(body) }).toEqual({
    status: 413,
    body: { message: 'The body is too large' },
  });
});

test("another account's signature opens neither a number nor a call that is not its own", async () => {
  const sid = newSid();
  expect((await post(VOICE, arrival(own.number, sid), other.authToken)).status).toBe(403);
  const { body } = await post(VOICE, arrival(own.number, sid), carrier.credentials.authToken);
  expect(mediaUrl(body)).toContain('/media/twilio/');
  const [call] = (await rig.ask<{ conversations: Call[] }>('GET', '/calls/v1/conversations'))
    .conversations;
  const at = `${VOICE}?call=${call?.id}&attempt=1`;
  const stolen = { ...arrival(other.number, sid), CallStatus: 'in-progress' };
  const answer = await post(at, stolen, other.authToken);
  expect(mediaUrl(answer.body)).toBe('');
  const status = { ...stolen, CallStatus: 'completed', CallbackSource: 'call-progress-events' };
  await post(`/carriers/twilio/status?call=${call?.id}`, status, other.authToken);
  const after = await rig.ask<Call>('GET', `/calls/v1/conversations/${call?.id}`);
  expect(after).toMatchObject({ status: 'queued', phoneCallStatus: 'ringing' });
});

test('a token works once, for its own call, and never for another carrier', async () => {
  const { authToken } = carrier.credentials;
  const sid = newSid();
  const url = mediaUrl((await post(VOICE, arrival(own.number, sid), authToken)).body);
  expect(await present(url.replace('/media/twilio/', '/media/emulator/'), sid)).toBe(1008);
  expect(await present(url, newSid())).toBe(1008);
  // That was its one use: even for its own call it is spent.
  expect(await present(url, sid)).toBe(1008);
  const second = newSid();
  const good = mediaUrl((await post(VOICE, arrival(own.number, second), authToken)).body);
  expect(await present(good, second)).toBe('open');
  expect(await present(good, second)).toBe(1008);
  expect(await present(`${rig.url.replace('http', 'ws')}/media/twilio/made-up`, sid)).toBe(1008);
});

test('a replayed webhook gives nobody a second way in', async () => {
  const { authToken } = carrier.credentials;
  const sid = newSid();
  const first = await post(VOICE, arrival(own.number, sid), authToken);
  const socket = await start(mediaUrl(first.body), sid);
  await once(socket, 'message');
  const replayed = await post(VOICE, arrival(own.number, sid), authToken);
  expect(replayed.body).toContain('<Hangup/>');
  socket.terminate();
  const fallback = /<Redirect method="POST">[^<]*(\/carriers[^<]+)</.exec(first.body)?.[1] ?? '';
  const again = { ...arrival(own.number, sid), CallStatus: 'in-progress' };
  const ask = async () => (await post(fallback.replaceAll('&amp;', '&'), again, authToken)).body;
  const url = mediaUrl(await ask());
  expect(url).toContain('/media/twilio/');
  // The answer may have been lost on the way: it stays the same until its one socket has opened.
  expect(mediaUrl(await ask())).toBe(url);
  const next = await start(url, sid);
  await expect.poll(ask).toContain('<Hangup/>');
  expect(await present(url, sid)).toBe(1008);
  next.terminate();
});

test.each(['busy', 'answer'] as const)(
  'statuses that come late, twice and in reverse leave a call that is %s as it is',
  async (outcome) => {
    const to = `+1500555060${outcome.length}`;
    carrier.behaviour = () => ({ outcome, ringMs: 20 });
    carrier.onAnswered = (call) => void call.connected.then(() => call.hangup());
    carrier.faults.deliver = async (statuses) => {
      for (const deliver of [...statuses, ...statuses].reverse()) await deliver();
    };
    const path = '/calls/v1/conversations/connect';
    const customer = { number: to };
    await rig.ask('POST', path, { direction: 'outbound', phoneNumberId: own.id, customer });
    const find = async () => {
      const query = `/calls/v1/conversations?userNumber=${encodeURIComponent(to)}`;
      return (await rig.ask<{ conversations: Call[] }>('GET', query)).conversations[0];
    };
    await expect.poll(async () => (await find())?.status).toBe('finished');
    expect(await find()).toMatchObject({
      phoneCallStatus: outcome === 'busy' ? 'busy' : 'completed',
    });
    carrier.faults.deliver = undefined;
  },
);

test('an arrival that is sent again opens no further socket, however often it comes', async () => {
  const { authToken } = carrier.credentials;
  const fields = arrival(own.number, newSid());
  const answers = [];
  for (let again = 0; again < 3; again++)
    answers.push(mediaUrl((await post(VOICE, fields, authToken)).body));
  expect(answers[0]).toContain('/media/twilio/');
  expect(new Set(answers).size).toBe(1);
});

test('a call for a number that nobody imported is refused at the operator’s own account', async () => {
  const { accountSid, authToken } = carrier.credentials;
  await using service = await PhoneRig.start({
    TWILIO_ACCOUNT_SID: accountSid,
    TWILIO_AUTH_TOKEN: authToken,
    TWILIO_BASE_URL: carrier.baseUrl,
  });
  const arrived = arrival('+15005550999', newSid());
  const refused = await post(VOICE, arrived, authToken, service.url);
  expect(refused).toMatchObject({ status: 200, body: expect.stringContaining('<Reject') });
  const status = { ...arrived, CallStatus: 'completed', CallbackSource: 'call-progress-events' };
  expect(await post('/carriers/twilio/status', status, authToken, service.url)).toMatchObject({
    status: 200,
  });
  expect((await post(VOICE, arrived, 'a'.repeat(32), service.url)).status).toBe(403);
  const other = '+15005550778';
  answerAsOwner(other);
  await service.ask('POST', '/assistants/v1/numbers/twilio', {
    number: other,
    credentials: { accountSid: `AC${'e'.repeat(32)}`, authToken: 'f'.repeat(32) },
  });
  expect((await post(VOICE, arrival(other, newSid()), authToken, service.url)).status).toBe(403);
});
