import { generateKeyPairSync, sign } from 'node:crypto';
import type Telnyx from 'telnyx';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTelnyxAccount } from '../../src/carriers/telnyx/account.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { captureHttp, type HttpWire, until } from '../support/captured-wire.ts';
import { PhoneRig } from '../support/phone-rig.ts';

const OURS = '+15005550160';
const THEIRS = '+15005550100';
const CALL = 'v3:in1';
const { signal } = new AbortController();
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const PUBLIC_KEY = publicKey
  .export({ format: 'der', type: 'spki' })
  .subarray(-32)
  .toString('base64');
const CREDENTIALS = { apiKey: 'KEY', publicKey: PUBLIC_KEY, connectionId: '1' };
const ANSWER = JSON.stringify({ data: { call_control_id: CALL, id: 'm-1', result: 'ok' } });

let client: (baseURL: string) => Telnyx;
beforeAll(async () => {
  const { default: Client } = await import('telnyx');
  client = (baseURL) =>
    new Client({ apiKey: 'KEY', publicKey: PUBLIC_KEY, baseURL, maxRetries: 0 });
});

const asked = ({ method, path, headers, body }: HttpWire) => ({
  method,
  path,
  authorization: headers.authorization,
  type: String(headers['content-type']).split(';')[0],
  body: body.length > 0 ? (JSON.parse(String(body)) as unknown) : undefined,
});

describe('REST', () => {
  const pair = async (
    theirs: (sdk: Telnyx) => PromiseLike<unknown>,
    ours: (account: ReturnType<typeof openTelnyxAccount>) => Promise<unknown>,
  ) => {
    await using server = await captureHttp({ contentType: 'application/json', body: ANSWER });
    await theirs(client(server.url));
    await ours(openTelnyxAccount(CREDENTIALS, { clock: systemClock, baseUrl: server.url }));
    const [their, our] = server.requests.map(asked);
    expect(our).toEqual(their);
  };
  const STREAM = {
    stream_url: 'wss://voice.example.test/media/abc',
    stream_track: 'inbound_track',
    stream_codec: 'PCMU',
    stream_bidirectional_mode: 'rtp',
    stream_bidirectional_codec: 'PCMU',
    stream_bidirectional_target_legs: 'self',
  } as const;
  const routes = { mediaUrl: STREAM.stream_url, fallbackUrl: '', statusUrl: '' };

  test('a call is answered with its stream as the SDK does', () =>
    pair(
      (sdk) => sdk.calls.actions.answer(CALL, { ...STREAM, command_id: `${CALL}:answer:0` }),
      (account) =>
        account.connectMedia({ carrierCallId: CALL, answer: true, attempt: 0 }, routes, signal),
    ));

  test('a stream is begun as the SDK does', () =>
    pair(
      (sdk) =>
        sdk.calls.actions.startStreaming(CALL, {
          ...STREAM,
          command_id: `${CALL}:streaming_start:1`,
        }),
      (account) =>
        account.connectMedia({ carrierCallId: CALL, answer: false, attempt: 1 }, routes, signal),
    ));

  test.each([false, true])('a call is dialled as the SDK does (machine detection: %s)', (amd) =>
    pair(
      (sdk) =>
        sdk.calls.dial({
          connection_id: '1',
          to: THEIRS,
          from: OURS,
          timeout_secs: 30,
          time_limit_secs: 3600,
          webhook_url: 'https://voice.example.test/status',
          client_state: btoa('CC-1'),
          command_id: 'CC-1',
          ...(amd ? { answering_machine_detection: 'greeting_end' } : {}),
        }),
      (account) =>
        account.dial({
          to: THEIRS,
          from: OURS,
          callId: 'CC-1',
          answerUrl: '',
          statusUrl: 'https://voice.example.test/status',
          ringSeconds: 30,
          maxSeconds: 3600,
          detectMachine: amd,
          signal,
        }),
    ),
  );

  test('a call is refused, ended and given tones as the SDK does', async () => {
    await pair(
      (sdk) => sdk.calls.actions.reject(CALL, { cause: 'USER_BUSY', command_id: `${CALL}:reject` }),
      (account) => account.refuse(CALL, 'busy', signal),
    );
    await pair(
      (sdk) => sdk.calls.actions.hangup(CALL, { command_id: `${CALL}:hangup` }),
      (account) => account.hangup(CALL, signal),
    );
    await pair(
      (sdk) => sdk.calls.actions.sendDtmf(CALL, { digits: '12#', duration_millis: 250 }),
      (account) => account.sendDtmf?.(CALL, '12#', signal) ?? Promise.reject(),
    );
  });

  test('a text is sent as the SDK does', () =>
    pair(
      (sdk) =>
        sdk.messages.send({
          from: OURS,
          to: THEIRS,
          text: 'Grüße',
          webhook_url: 'https://voice.example.test/sms',
        }),
      (account) =>
        account.sendText?.(
          { from: OURS, to: THEIRS, text: 'Grüße', statusUrl: 'https://voice.example.test/sms' },
          signal,
        ) ?? Promise.reject(),
    ));
});

describe('webhooks that the SDK verifies', () => {
  let rig: PhoneRig;
  let rest: Awaited<ReturnType<typeof captureHttp>>;
  beforeAll(async () => {
    rest = await captureHttp({
      contentType: 'application/json',
      body: JSON.stringify({ data: [{ id: '1', phone_number: OURS, connection_id: '1' }] }),
    });
    rig = await PhoneRig.start({
      PUBLIC_URL: 'https://voice.example.test',
      TELNYX_BASE_URL: rest.url,
    });
    const { _id } = await rig.ask<{ _id: string }>('POST', '/assistants/v1/numbers/telnyx', {
      number: OURS,
      credentials: CREDENTIALS,
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

  const event = (type: string) => ({
    data: {
      record_type: 'event',
      event_type: type,
      id: crypto.randomUUID(),
      occurred_at: new Date().toISOString(),
      payload: {
        call_control_id: CALL,
        call_leg_id: 'l',
        call_session_id: 's',
        connection_id: '1',
        client_state: null,
        from: THEIRS,
        to: OURS,
        direction: 'incoming',
        state: 'parked',
      },
    },
    meta: { attempt: 1, delivered_to: 'https://voice.example.test' },
  });
  /** What the SDK and Parley say of the same delivery. */
  const deliver = async (
    type: string,
    { ageSeconds = 0, tampered = false }: { ageSeconds?: number; tampered?: boolean } = {},
  ) => {
    const body = JSON.stringify(event(type));
    const timestamp = Math.floor(Date.now() / 1000) - ageSeconds;
    const signed = tampered ? `${body} ` : body;
    const signature = sign(null, Buffer.from(`${timestamp}|${signed}`), privateKey);
    const headers = {
      'telnyx-signature-ed25519': signature.toString('base64'),
      'telnyx-timestamp': String(timestamp),
      'content-type': 'application/json',
    };
    const theirs = await client('http://127.0.0.1')
      .webhooks.unwrap(body, { headers })
      .then(
        () => 'taken',
        () => 'refused',
      );
    const url = `${rig.url}/carriers/telnyx/voice`;
    const { status } = await fetch(url, { method: 'POST', headers, body });
    return { theirs, ours: status === 200 ? 'taken' : `${status}` };
  };

  test('an arriving call is answered by a command', async () => {
    expect(await deliver('call.initiated')).toEqual({ theirs: 'taken', ours: 'taken' });
    const answer = () => rest.requests.find(({ path }) => path.endsWith('/actions/answer'));
    await until('the call is answered', () => answer() !== undefined);
    expect(answer()?.path).toBe(`/calls/${CALL}/actions/answer`);
  });

  test.each([
    ['an old delivery', { ageSeconds: 400 }],
    ['another body', { tampered: true }],
  ])('%s is refused by both', async (_what, how) => {
    expect(await deliver('call.answered', how)).toEqual({ theirs: 'refused', ours: '403' });
  });
});
