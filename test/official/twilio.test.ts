import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type twilioSdk from 'twilio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openTwilioAccount } from '../../src/carriers/twilio/account.ts';
import { REPEATED, rejectMarkup, streamMarkup } from '../../src/carriers/twilio/markup.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { captureHttp, type HttpWire, until } from '../support/captured-wire.ts';
import { PhoneRig } from '../support/phone-rig.ts';

type Sdk = typeof twilioSdk;
type Webhooks = typeof import('twilio/lib/webhooks/webhooks.js');

const SID = `AC${'0'.repeat(31)}1`;
const TOKEN = '0123456789abcdef0123456789abcdef';
const PUBLIC = 'https://voice.example.test';
const OURS = '+15005550150';
const THEIRS = '+15005550100';
const { signal } = new AbortController();

let twilio: Sdk;
let webhooks: Webhooks;
beforeAll(async () => {
  twilio = (await import('twilio')).default;
  webhooks = await import('twilio/lib/webhooks/webhooks.js');
});

/** The SDK, speaking to a server of the test's. */
function client(baseUrl: string) {
  class Redirected extends twilio.RequestClient {
    constructor() {
      super();
      this.axios.interceptors.request.use((config) => {
        const url = config.url?.replace('https://api.twilio.com', baseUrl);
        return Object.assign(config, { url });
      });
    }
  }
  return twilio(SID, TOKEN, { httpClient: new Redirected() });
}

/** What a request asks for: the order of its form's fields means nothing. */
const asked = ({ method, path, headers, body }: HttpWire) => ({
  method,
  path,
  authorization: headers.authorization,
  type: String(headers['content-type'] ?? '').split(';')[0],
  fields: [...new URLSearchParams(String(body))].map((field) => field.join('=')).toSorted(),
});

describe('REST', () => {
  const body = JSON.stringify({ sid: `CA${'9'.repeat(32)}`, status: 'queued' });
  const pair = async (
    theirs: (sdk: ReturnType<typeof client>) => Promise<unknown>,
    ours: (account: ReturnType<typeof openTwilioAccount>) => Promise<unknown>,
    answer = body,
  ) => {
    await using server = await captureHttp({ contentType: 'application/json', body: answer });
    await theirs(client(server.url));
    const credentials = { accountSid: SID, authToken: TOKEN };
    const options = { name: 'twilio', clock: systemClock, baseUrl: server.url } as const;
    await ours(openTwilioAccount(credentials, options));
    const [their, our] = server.requests.map(asked);
    expect(our).toEqual(their);
  };

  test.each([false, true])('a call is dialled as the SDK does (machine detection: %s)', (amd) =>
    pair(
      (sdk) =>
        sdk.calls.create({
          to: THEIRS,
          from: OURS,
          url: `${PUBLIC}/voice?call=1`,
          method: 'POST',
          statusCallback: `${PUBLIC}/status?call=1`,
          statusCallbackMethod: 'POST',
          statusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
          timeout: 30,
          timeLimit: 3600,
          ...(amd
            ? {
                machineDetection: 'DetectMessageEnd',
                asyncAmd: 'true',
                asyncAmdStatusCallback: `${PUBLIC}/status?call=1`,
              }
            : {}),
        }),
      (account) =>
        account.dial({
          to: THEIRS,
          from: OURS,
          callId: '1',
          answerUrl: `${PUBLIC}/voice?call=1`,
          statusUrl: `${PUBLIC}/status?call=1`,
          ringSeconds: 30,
          maxSeconds: 3600,
          detectMachine: amd,
          signal,
        }),
    ),
  );

  test('a call is ended as the SDK does', () => {
    const sid = `CA${'8'.repeat(32)}`;
    return pair(
      (sdk) => sdk.calls(sid).update({ status: 'completed' }),
      (account) => account.hangup(sid, signal),
    );
  });

  test('a text is sent as the SDK does', () =>
    pair(
      (sdk) =>
        sdk.messages.create({
          to: THEIRS,
          from: OURS,
          body: 'Grüße & mehr',
          statusCallback: `${PUBLIC}/sms`,
        }),
      (account) =>
        account.sendText?.(
          { to: THEIRS, from: OURS, text: 'Grüße & mehr', statusUrl: `${PUBLIC}/sms` },
          signal,
        ) ?? Promise.reject(),
    ));

  test('a number’s webhooks are set as the SDK does', () => {
    const sid = `PN${'1'.repeat(32)}`;
    const urls = { voiceUrl: `${PUBLIC}/v`, smsUrl: `${PUBLIC}/t`, statusUrl: `${PUBLIC}/s` };
    return pair(
      (sdk) =>
        sdk.incomingPhoneNumbers(sid).update({
          voiceUrl: urls.voiceUrl,
          voiceMethod: 'POST',
          statusCallback: urls.statusUrl,
          statusCallbackMethod: 'POST',
          smsUrl: urls.smsUrl,
          smsMethod: 'POST',
        }),
      (account) => account.numbers?.configureWebhooks(sid, urls, signal) ?? Promise.reject(),
    );
  });
});

describe('markup', () => {
  test('a stream is byte for byte what VoiceResponse builds', () => {
    const mediaUrl = `wss://voice.example.test/media/abc`;
    const fallbackUrl = `${PUBLIC}/carriers/twilio/voice?call=1&attempt=2`;
    const theirs = new twilio.twiml.VoiceResponse();
    theirs.connect().stream({ url: mediaUrl });
    theirs.redirect({ method: 'POST' }, fallbackUrl + REPEATED);
    const ours = streamMarkup({ mediaUrl, fallbackUrl, statusUrl: '' }).body;
    expect(ours.replace('\n', '')).toBe(theirs.toString());
  });

  test.each(['busy', 'rejected'] as const)('so is a refusal (%s)', (reason) => {
    const theirs = new twilio.twiml.VoiceResponse();
    theirs.reject({ reason });
    expect(rejectMarkup(reason).body.replace('\n', '')).toBe(theirs.toString());
  });
});

describe('webhooks signed by the SDK', () => {
  let rig: PhoneRig;
  let rest: Awaited<ReturnType<typeof captureHttp>>;
  beforeAll(async () => {
    const number = { sid: `PN${'1'.repeat(32)}`, phone_number: OURS };
    rest = await captureHttp({
      contentType: 'application/json',
      body: JSON.stringify({ ...number, incoming_phone_numbers: [number] }),
    });
    rig = await PhoneRig.start({ PUBLIC_URL: PUBLIC, TWILIO_BASE_URL: rest.url });
    const credentials = { accountSid: SID, authToken: TOKEN };
    const { _id } = await rig.ask<{ _id: string }>('POST', '/assistants/v1/numbers/twilio', {
      number: OURS,
      credentials,
    });
    const { _id: assistantId } = await rig.ask<{ _id: string }>(
      'POST',
      '/assistants/v1/assistants',
      { name: 'Phone', welcomeMessage: 'Hello.' },
    );
    await rig.ask('PUT', `/assistants/v1/numbers/${_id}`, { assistantId });
  });
  afterAll(async () => {
    await rig?.[Symbol.asyncDispose]();
    await rest?.[Symbol.asyncDispose]();
  });

  let count = 0;
  const arrival = (more: Readonly<Record<string, string>> = {}) => ({
    AccountSid: SID,
    ApiVersion: '2010-04-01',
    CallSid: `CA${String(++count).padStart(32, '0')}`,
    CallStatus: 'ringing',
    Called: OURS,
    Caller: THEIRS,
    Direction: 'inbound',
    From: THEIRS,
    To: OURS,
    FromCity: '',
    FromState: 'CA',
    StirVerstat: 'TN-Validation-Passed-A',
    CallToken: '{"parentCallInfoToken":"e&=+ü"}',
    ...more,
  });
  const send = async (
    path: string,
    fields: Readonly<Record<string, string | readonly string[]>>,
    { token = TOKEN, url = PUBLIC + path } = {},
  ) => {
    const form = new URLSearchParams();
    for (const [name, values] of Object.entries(fields))
      for (const value of [values].flat()) form.append(name, value);
    const response = await fetch(rig.url + path, {
      method: 'POST',
      headers: {
        'x-twilio-signature': webhooks.getExpectedTwilioSignature(token, url, fields),
        'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      },
      body: form,
    });
    const type = response.headers.get('content-type') ?? '';
    return { status: response.status, type, body: await response.text() };
  };
  const VOICE = '/carriers/twilio/voice';

  test('an arriving call is answered with markup', async () => {
    const answer = await send(VOICE, arrival());
    expect(answer).toMatchObject({ status: 200, type: expect.stringContaining('text/xml') });
    expect(answer.body).toMatch(/<Stream url="wss:\/\/[^?"]+"\/>/);
  });

  test.each([
    ['an address with its port', {}, { url: `${PUBLIC}:443${VOICE}` }],
    ['a repeated field', { Extra: ['b', 'a', 'b'] }, {}],
    ['odd characters', { CallerName: "O'Brien & Søn ☎ <b>", Extra: 'a+b c%20' }, {}],
  ])('%s is verified', async (_what, more, how) => {
    expect(await send(VOICE, { ...arrival(), ...more }, how)).toMatchObject({ status: 200 });
  });

  test.each([
    ['another token', {}, { token: 'f'.repeat(32) }],
    ['another address', {}, { url: `${PUBLIC}/other` }],
  ])('%s is refused', async (_what, more, how) => {
    expect(await send(VOICE, { ...arrival(), ...more }, how)).toMatchObject({ status: 403 });
  });

  test('a status is taken', async () => {
    const call = arrival();
    await send(VOICE, call);
    const status = await send('/carriers/twilio/status', {
      ...call,
      CallStatus: 'completed',
      CallbackSource: 'call-progress-events',
      SequenceNumber: '3',
      CallDuration: '45',
      SipResponseCode: '200',
    });
    expect(status.status).toBeLessThan(300);
  });

  test('a JSON body is verified by the digest in its address, and understood', async () => {
    const call = arrival();
    const body = JSON.stringify(call);
    const deliver = async (sent: string) => {
      const path = `${VOICE}?bodySHA256=${webhooks.getExpectedBodyHash(body)}`;
      const signature = webhooks.getExpectedTwilioSignature(TOKEN, PUBLIC + path, {});
      expect(webhooks.validateRequestWithBody(TOKEN, signature, PUBLIC + path, body)).toBe(true);
      return fetch(rig.url + path, {
        method: 'POST',
        headers: { 'x-twilio-signature': signature, 'content-type': 'application/json' },
        body: sent,
      });
    };
    const answer = await deliver(body);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<Stream');
    expect((await deliver(JSON.stringify({ ...call, From: '+15005550199' }))).status).toBe(403);
  });

  test('a stream gets only media, marks and clears with its id', async () => {
    const call = arrival();
    const markup = (await send(VOICE, call)).body;
    const media = new URL(/<Stream url="([^"]+)"/.exec(markup)?.[1] ?? '');
    const socket = new WebSocket(rig.url.replace('http', 'ws') + media.pathname, {
      headers: {
        'x-twilio-signature': webhooks.getExpectedTwilioSignature(TOKEN, media.href, {}),
      },
    });
    const heard: { event: string; streamSid: string; media?: { payload: string } }[] = [];
    socket.on('message', (data) => heard.push(JSON.parse(String(data))));
    await once(socket, 'open');
    const streamSid = `MZ${'8'.repeat(32)}`;
    const say = (message: object) => socket.send(JSON.stringify({ ...message, streamSid }));
    say({ event: 'connected', protocol: 'Call', version: '1.0.0' });
    say({
      event: 'start',
      sequenceNumber: '1',
      start: {
        accountSid: SID,
        streamSid,
        callSid: call.CallSid,
        tracks: ['inbound'],
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
        customParameters: {},
      },
    });
    const payload = Buffer.alloc(160, 255).toString('base64');
    const feed = (async () => {
      for (let i = 1; socket.readyState === WebSocket.OPEN; i++) {
        const timestamp = String(i * 20);
        say({ event: 'media', media: { track: 'inbound', chunk: String(i), timestamp, payload } });
        await pause(20);
      }
    })();
    await until('the welcome is heard', () => heard.some(({ event }) => event === 'media'));
    say({ event: 'stop', sequenceNumber: '9', stop: { accountSid: SID, callSid: call.CallSid } });
    socket.close();
    await feed;
    expect(heard.filter(({ event }) => !['media', 'mark', 'clear'].includes(event))).toEqual([]);
    expect(new Set(heard.map((message) => message.streamSid))).toEqual(new Set([streamSid]));
  });
});
