import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Call, SavedAssistant } from '../../src/client/api.generated.ts';
import { rowsOf } from '../support/effort.ts';
import { PhoneRig } from '../support/phone-rig.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const NO_KEY = 'openai has no key: set it on the console’s page Vendors, or set OPENAI_API_KEY';
const SENTENCE = `The call could not begin because a vendor of its assistant cannot be used: ${NO_KEY}.`;
const CONNECT = '/calls/v1/conversations/connect';

let rig: PhoneRig;
let receiver: WebhookReceiver;
beforeAll(async () => {
  rig = await PhoneRig.start();
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await rig?.[Symbol.asyncDispose]();
  await receiver?.[Symbol.asyncDispose]();
});

describe('a vendor without a key', () => {
  const create = (body: object) =>
    rig.json<SavedAssistant>('POST', '/assistants/v1/assistants', { name: 'Ada', ...body });

  test.each([
    ['assistantProvider', { assistantProvider: 'openai' }, true, 'openai'],
    [
      'config.speech.stt.vendor',
      { config: { speech: { stt: { vendor: 'deepgram' } } } },
      true,
      'deepgram',
    ],
    [
      'config.speech.ttsData.0.vendor',
      { config: { speech: { ttsData: [{ vendor: 'cartesia', language: 'en-US', voice: 'v' }] } } },
      true,
      'cartesia',
    ],
    [
      'config.speech.ttsData.0.vendor',
      {
        config: {
          speech: {
            ttsData: [
              { vendor: 'cartesia', language: 'en-US', voice: 'v' },
              { vendor: 'offline', language: 'en-US', voice: '' },
            ],
          },
        },
      },
      false,
      'cartesia',
    ],
  ])(
    'is warned of at %s, and the call refused where nothing else serves',
    async (path, body, blocks, vendor) => {
      const { status, body: made } = await create(body);
      expect(status).toBe(201);
      expect(made.warnings).toEqual([
        {
          code: 'vendor-not-ready',
          path,
          message: expect.stringMatching(
            new RegExp(`^${vendor} has no key: .* set ${vendor.toUpperCase()}_API_KEY\\.`),
          ),
        },
      ]);
      const connected = await rig.json<{ message: string }>('POST', CONNECT, {
        direction: 'inbound',
        assistantId: made._id,
      });
      expect(connected.status).toBe(blocks ? 409 : 201);
      if (blocks) expect(connected.body.message).toContain(`${vendor} has no key`);
    },
  );

  test('is warned of when an assistant is changed, which keeps the tag that reads give', async () => {
    const { body: made } = await create({});
    expect(made.warnings).toBeUndefined();
    const path = `/assistants/v1/assistants/${made._id}`;
    const headers = {
      authorization: 'Bearer phone-rig-key-0123456789',
      'content-type': 'application/json',
    };
    const patched = await fetch(rig.url + path, {
      method: 'PATCH',
      headers,
      body: '{"assistantProvider":"anthropic"}',
    });
    expect(await patched.json()).toMatchObject({
      warnings: [
        { path: 'assistantProvider', message: expect.stringContaining('anthropic has no key') },
      ],
    });
    const read = await fetch(rig.url + path, { headers });
    expect(patched.headers.get('etag')).toBe(read.headers.get('etag'));
    expect(await read.json()).not.toHaveProperty('warnings');
  });

  test('refuses an inline assistant, and a phone call before anything is dialled', async () => {
    const inline = {
      direction: 'inbound',
      assistant: { name: 'Ada', assistantProvider: 'openai' },
    };
    expect(await rig.json('POST', CONNECT, inline)).toEqual({
      status: 409,
      body: { message: SENTENCE },
    });
    const carrier = rig.carrier('twilio');
    const { id } = await rig.addNumber(carrier, { assistantProvider: 'openai' });
    const refused = await rig.json('POST', CONNECT, {
      direction: 'outbound',
      phoneNumberId: id,
      customer: { number: '+15005550777' },
    });
    expect(refused).toEqual({ status: 409, body: { message: SENTENCE } });
    expect(carrier.dialled).toEqual([]);
  });

  test.concurrent.each(rowsOf({ usual: ['telnyx'], long: ['twilio', 'asterisk'] }))(
    'a call that arrives over %s is not answered with silence: record, log and webhook say why',
    async (name) => {
      const carrier = rig.carrier(name);
      const { number } = await rig.addNumber(carrier, {
        assistantProvider: 'openai',
        assistantServer: {
          enabled: true,
          url: receiver.url,
          messages: ['error', 'end-of-call-report'],
        },
      });
      const from = `+1500555088${['twilio', 'telnyx', 'asterisk'].indexOf(name)}`;
      const call = await carrier.call({ from, to: number });
      call.connected.catch(() => undefined);
      await call.ended;
      expect(call.sockets).toBe(0);
      const { conversations } = await rig.ask<{ conversations: Call[] }>(
        'GET',
        `/calls/v1/conversations?userNumber=${encodeURIComponent(from)}`,
      );
      const failure = {
        code: 'vendor-not-ready',
        message: SENTENCE,
        cause: { code: 'no_key', message: NO_KEY, provider: 'openai' },
      };
      expect(conversations).toMatchObject([
        { status: 'finished', phoneCallStatus: 'failed', endReason: 'vendor-not-ready', failure },
      ]);
      const id = conversations[0]?.id as string;
      const events = await rig.text(`/calls/v1/conversations/${id}/events`);
      expect(
        events
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ).toMatchObject([{ kind: 'note', type: 'failure', data: failure }]);
      await receiver.until(() => receiver.of(id).length === 2);
      expect(receiver.of(id).map(({ message }) => message)).toMatchObject([
        { type: 'error', error: { type: 'call', ...failure, provider: 'openai' } },
        { type: 'end-of-call-report', endReason: 'vendor-not-ready', call: { failure } },
      ]);
    },
  );
});
