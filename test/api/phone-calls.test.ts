import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ProviderError } from '../../src/lib/errors.ts';
import type { OutboundCall } from '../../src/ports/dialer.ts';
import { getCall, updateCall } from '../../src/store/calls.ts';
import { createClient, startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const CALLS = '/calls/v1/conversations';
const CONNECT = `${CALLS}/connect`;
const NUMBERS = '/assistants/v1/numbers';
const ACCOUNT = { accountSid: 'AC1', authToken: 'a-token-nobody-may-see' };
const customer = { number: '+4712345678', name: 'Kari' };

withDatabase('phone calls', ({ db, newTeam }) => {
  const dialled: OutboundCall[] = [];
  let failure: Error | undefined;
  let api: TestApi;
  let ada: TestClient;
  let eve: TestClient;
  beforeAll(async () => {
    api = await startTestApi(db(), {
      dialer: {
        dial: async (call) => {
          dialled.push(call);
          if (failure) throw failure;
        },
      },
    });
  });
  beforeEach(async () => {
    dialled.length = 0;
    failure = undefined;
    api.carriers.asked.length = 0;
    api.carriers.failures.clear();
    ada = await api.client(await newTeam());
    eve = await api.client(await newTeam());
  });
  afterAll(() => api.close());

  let count = 0;
  const newNumber = async (provider = 'twilio', client = ada) => {
    const number = `+1415556${String(++count).padStart(4, '0')}`;
    const credentials = provider === 'twilio' ? { credentials: ACCOUNT } : {};
    return (await client.post(`${NUMBERS}/${provider}`, { number, ...credentials })).body;
  };
  const newAssistant = async (name: string, fields: object = {}) =>
    (await ada.post('/assistants/v1/assistants', { name, ...fields })).body._id as string;
  const outbound = (phoneNumberId: string, fields: object = {}) => ({
    direction: 'outbound',
    phoneNumberId,
    customer,
    ...fields,
  });

  describe('connect', () => {
    test('dials the customer from the number: 201, queued, trying', async () => {
      const { _id, number } = await newNumber();
      const assistantId = await newAssistant('Guide');
      const body = outbound(_id, { assistantId, metadata: { order: 7 } });
      const answer = await ada.post(CONNECT, body);
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        id: expect.stringMatching(/^CC-[0-9a-f]{8}-[0-9a-f]{4}-7/),
        teamId: ada.teamId,
        assistantVersion: 1,
        assistantId,
        callType: 'phone',
        direction: 'outbound',
        startAt: expect.any(String),
        userNumber: customer.number,
        assistantNumber: number,
        status: 'queued',
        phoneCallStatus: 'trying',
        monitor: { controlUrl: `http://parley.test${CALLS}/${answer.body.id}/control` },
        customer,
        metadata: { order: 7 },
        metrics: [],
        usage: [],
        messages: [],
      });
      expect((await ada.get(`${CALLS}/${answer.body.id}`)).body).toEqual(answer.body);
      expect(dialled).toEqual([
        {
          teamId: ada.teamId,
          callId: answer.body.id,
          numberId: _id,
          to: customer.number,
          baseUrl: 'http://parley.test',
        },
      ]);
    });

    test('the inline assistant comes first, then the one named, then the one attached; overrides on top', async () => {
      const { _id } = await newNumber();
      const [named, attached] = [await newAssistant('Named'), await newAssistant('Attached')];
      await ada.put(`${NUMBERS}/${_id}`, { assistantId: attached });
      const speakerOf = async (fields: object) => {
        const { body } = await ada.post(CONNECT, outbound(_id, fields));
        const { snapshot, assistantId } = await getCall(db(), { teamId: ada.teamId, id: body.id });
        const { name, welcomeMessage } = snapshot.assistant;
        return [name, assistantId, welcomeMessage];
      };
      const inline = { assistant: { name: 'Inline' }, assistantId: named };
      expect(await speakerOf(inline)).toEqual(['Inline', null, '']);
      expect(await speakerOf({ assistantId: named })).toEqual(['Named', named, '']);
      const overridden = { assistantOverrides: { welcomeMessage: 'Hei' } };
      expect(await speakerOf(overridden)).toEqual(['Attached', attached, 'Hei']);
    });

    test('what stands against it is said before anything is dialled, and no call is made', async () => {
      const { _id, number } = await newNumber();
      const mute = await newNumber('asterisk');
      const assistant = { name: 'A' };
      const refusal = async (body: object) => {
        const answer = await ada.post(CONNECT, body);
        expect(answer.status).toBe(409);
        return answer.body.message;
      };
      expect(await refusal(outbound(_id))).toBe(
        `No assistant: none is given, and none is attached to ${number}`,
      );
      await ada.put(`${NUMBERS}/${_id}`, { outboundEnabled: false });
      expect(await refusal(outbound(_id, { assistant }))).toBe(
        `Outbound calls are switched off for ${number}`,
      );
      const loud = { ...assistant, backgroundSound: 'https://sounds.example/rain.mp3' };
      expect(await refusal(outbound(mute._id, { assistant: loud }))).toContain('backgroundSound');
      const { own } = api.carriers;
      api.carriers.own = {};
      expect(await refusal(outbound(mute._id, { assistant }))).toContain('no credentials');
      api.carriers.own = own;
      const gone = await ada.post(CONNECT, outbound(mute._id, { assistantId: 'gone' }));
      expect(gone).toMatchObject({ status: 404, body: { message: 'Assistant not found!' } });

      expect(dialled).toEqual([]);
      expect((await ada.get(CALLS)).body.totalCount).toBe(0);
    });

    test("another team's number is missing", async () => {
      const { _id } = await newNumber('twilio', eve);
      expect(await ada.post(CONNECT, outbound(_id, { assistant: { name: 'A' } }))).toMatchObject({
        status: 404,
        body: { message: 'Number not found!' },
      });
    });

    test("the carrier's refusal is 502 in its words; the call stays on record as failed", async () => {
      const { _id } = await newNumber();
      failure = new ProviderError({
        class: 'invalid',
        provider: 'twilio',
        code: 'http_400',
        message: 'The number is not reachable',
      });
      const answer = await ada.post(CONNECT, outbound(_id, { assistant: { name: 'A' } }));
      expect(answer).toMatchObject({
        status: 502,
        body: { message: 'The number is not reachable' },
      });
      const [call] = (await ada.get(CALLS)).body.conversations;
      expect(call).toMatchObject({
        status: 'finished',
        phoneCallStatus: 'failed',
        endReason: 'dialling-failed',
        endAt: expect.any(String),
      });
    });

    test('the same Idempotency-Key dials once', async () => {
      const { _id } = await newNumber();
      const body = outbound(_id, { assistant: { name: 'A' } });
      const header = { 'idempotency-key': 'once' };
      const first = await ada.post(CONNECT, body, header);
      expect((await ada.post(CONNECT, body, header)).body).toEqual(first.body);
      expect(dialled).toHaveLength(1);
    });

    test('a service that places no calls says so', async () => {
      const deaf = await startTestApi(db());
      const { _id } = await newNumber();
      const client = createClient(deaf.app, ada);
      expect(await client.post(CONNECT, outbound(_id, { assistant: { name: 'A' } }))).toMatchObject(
        {
          status: 503,
          body: { message: 'This service places no phone calls' },
        },
      );
      await deaf.close();
    });
  });

  describe('control', () => {
    const liveCall = async (provider = 'twilio') => {
      const { _id, number } = await newNumber(provider);
      const { body } = await ada.post(CONNECT, outbound(_id, { assistant: { name: 'A' } }));
      const change = { status: 'ongoing', phoneCallStatus: 'in-progress' } as const;
      await updateCall(db(), { teamId: ada.teamId, id: body.id, change });
      return { id: body.id as string, url: `${CALLS}/${body.id}/control`, number, numberId: _id };
    };
    const done = {
      status: 200,
      body: { message: 'Call controlled successfully.', data: { success: true } },
    };

    test.each([
      [
        { type: 'forward', message: '+14155550123' },
        { type: 'control.forward', to: '+14155550123' },
      ],
      [{ type: 'forward' }, { type: 'control.forward' }],
      [
        { type: 'dtmf', message: '12#' },
        { type: 'control.dtmf', digits: '12#' },
      ],
    ])('%j reaches the live call', async (body, event) => {
      const { id, url } = await liveCall();
      expect(await ada.post(url, body)).toMatchObject(done);
      expect(api.control.events.at(-1)).toEqual({ callId: id, event });
    });

    test('a text goes to the customer from the number of the call', async () => {
      const { url, number } = await liveCall();
      expect(await ada.post(url, { type: 'sms', message: 'Your code is 7' })).toMatchObject(done);
      expect(api.carriers.asked.at(-1)).toEqual({
        what: 'sendText',
        by: ACCOUNT,
        of: { from: number, to: customer.number, text: 'Your code is 7' },
      });
      api.carriers.fail('sendText', 'Landline');
      expect(await ada.post(url, { type: 'sms', message: 'x' })).toMatchObject({
        status: 502,
        body: { message: 'Landline' },
      });
    });

    test('a text that cannot be sent is refused, with the reason', async () => {
      const refused = (message: string) => ({
        status: 409,
        body: { message: `No text can be sent: ${message}`, data: { success: false } },
      });
      const sms = { type: 'sms', message: 'x' };
      const silent = await liveCall('asterisk');
      expect(await ada.post(silent.url, sms)).toMatchObject(refused('asterisk sends no texts'));
      const { url, number, numberId } = await liveCall();
      await ada.delete(`${NUMBERS}/${numberId}`);
      expect(await ada.post(url, sms)).toMatchObject(refused(`${number} is no longer the team's`));
    });
  });
});
