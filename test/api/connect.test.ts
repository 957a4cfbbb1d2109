import { afterAll, beforeAll, expect, test } from 'vitest';
import { getCall } from '../../src/store/calls.ts';
import { redeemMediaToken } from '../../src/store/media-tokens.ts';
import { createClient, startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const CONNECT = '/calls/v1/conversations/connect';

withDatabase('connect', ({ db, newTeam }) => {
  const nowMs = Date.UTC(2026, 0, 31, 8);
  let api: TestApi;
  let ada: TestClient;
  let eve: TestClient;
  beforeAll(async () => {
    api = await startTestApi(db(), { now: () => nowMs });
    ada = await api.client(await newTeam());
    eve = await api.client(await newTeam());
  });
  afterAll(() => api.close());

  const createAssistant = async (fields: object = {}) =>
    (await ada.post('/assistants/v1/assistants', { name: 'Guide', ...fields })).body;

  test('a web call is queued, with a single-use way to its media', async () => {
    const assistant = await createAssistant();
    const { status, body } = await ada.post(CONNECT, {
      direction: 'inbound',
      assistantId: assistant._id,
      customer: { number: '+4712345678', name: 'Kari' },
      metadata: { order: 7, nested: { a: [1] } },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^WC-[0-9a-f]{8}-[0-9a-f]{4}-7/),
      teamId: ada.teamId,
      assistantVersion: 1,
      assistantId: assistant._id,
      callType: 'web',
      direction: 'inbound',
      startAt: expect.any(String),
      userNumber: '+4712345678',
      status: 'queued',
      monitor: { controlUrl: `http://parley.test/calls/v1/conversations/${body.id}/control` },
      customer: { number: '+4712345678', name: 'Kari' },
      metadata: { order: 7, nested: { a: [1] } },
      metrics: [],
      usage: [],
      messages: [],
      webCall: {
        url: `ws://parley.test/media/web/${body.webCall.token}`,
        token: expect.stringMatching(/^[\w-]{43}$/),
        expiresAt: '2026-01-31T08:01:00.000Z',
      },
    });
    const { webCall, ...call } = body;
    expect((await ada.get(`/calls/v1/conversations/${body.id}`)).body).toEqual(call);

    const redeem = (atMs: number) =>
      redeemMediaToken(db(), { token: webCall.token, now: new Date(atMs) });
    expect(await redeem(nowMs + 60_000)).toBeUndefined();
    expect(await redeem(nowMs + 59_999)).toMatchObject({ callId: body.id, teamId: ada.teamId });
    expect(await redeem(nowMs + 59_999)).toBeUndefined();
  });

  test('the media address follows the public one, and its scheme', async () => {
    const secure = await startTestApi(db(), { publicUrl: () => 'https://voice.example' });
    const client = createClient(secure.app, ada);
    const { body } = await client.post(CONNECT, { direction: 'inbound', assistant: { name: 'A' } });
    expect(body.webCall.url).toBe(`wss://voice.example/media/web/${body.webCall.token}`);
    await secure.close();
  });

  test('the call keeps what it runs on: overrides laid over, variables added up', async () => {
    const assistant = await createAssistant({
      welcomeMessage: 'Hello',
      assistantOverrides: { recordingEnabled: false, dynamicVariables: { a: '1', b: '1' } },
    });
    const { body } = await ada.post(CONNECT, {
      direction: 'inbound',
      assistantId: assistant._id,
      metadata: { x: 'y' },
      assistantOverrides: {
        welcomeMessage: 'Hei',
        recordingPath: 'a/b',
        dynamicVariables: { b: '2' },
      },
    });
    // Later changes of the assistant do not affect the call.
    await ada.patch(`/assistants/v1/assistants/${assistant._id}`, { welcomeMessage: 'Changed' });
    const { snapshot } = await getCall(db(), { teamId: ada.teamId, id: body.id });
    expect(snapshot).toMatchObject({
      assistant: { name: 'Guide', welcomeMessage: 'Hei', recordingEnabled: false },
      variables: { a: '1', b: '2' },
      recordingPath: 'a/b',
      metadata: { x: 'y' },
      customer: {},
    });
  });

  test('the inline assistant wins over assistantId, and the call names neither', async () => {
    const assistant = await createAssistant();
    const { body } = await ada.post(CONNECT, {
      direction: 'inbound',
      assistantId: assistant._id,
      assistant: { name: 'Inline' },
    });
    expect(body).not.toHaveProperty('assistantId');
    const { snapshot } = await getCall(db(), { teamId: ada.teamId, id: body.id });
    expect(snapshot).toMatchObject({ assistant: { name: 'Inline' } });
  });

  test.each([
    [{}, 'direction: is required'],
    [{ direction: 'up', assistantId: 'x' }, 'direction: must be one of inbound, outbound'],
    [{ direction: 'inbound' }, 'assistantId: is needed for a web call without an inline assistant'],
    [
      { direction: 'inbound', assistant: { name: 'A', idleTimeout: 4 } },
      'assistant.idleTimeout: must be at least 5',
    ],
    [
      { direction: 'inbound', assistant: { name: 'A' }, assistantOverrides: { nope: 1 } },
      'assistantOverrides.nope: unknown field',
    ],
    [
      { direction: 'inbound', assistant: { name: 'A' }, customer: { number: '0815' } },
      'customer.number: must be a phone number in E.164 form, such as +14155550123',
    ],
    [
      { direction: 'outbound', phoneNumberId: 'n' },
      'customer.number: is needed when phoneNumberId is given',
    ],
    [
      { direction: 'inbound', phoneNumberId: 'n', customer: { number: '+4712345678' } },
      'direction: must be outbound when phoneNumberId is given',
    ],
    [
      { direction: 'inbound', assistant: { name: 'A' }, metadata: { a: 'x'.repeat(70_000) } },
      'metadata: must not be larger than 65536 characters of JSON',
    ],
  ])('%j is refused', async (body, message) => {
    expect(await ada.post(CONNECT, body)).toMatchObject({ status: 400, body: { message } });
  });

  test('an inline assistant may name only what the team has', async () => {
    const { id } = (await eve.post('/kb/v1/knowledge-bases', { title: 'Theirs' })).body;
    const answer = await ada.post(CONNECT, {
      direction: 'inbound',
      assistant: {
        name: 'A',
        assistantPredefinedTools: { knowledgeBase: true },
        assistantKnowledgeBaseIds: [id],
      },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        message: `assistant.assistantKnowledgeBaseIds.0: there is no such knowledge base: ${id}`,
      },
    });
  });

  test('an assistant or a number that is not there is missing', async () => {
    const { _id } = await createAssistant();
    for (const [client, assistantId] of [
      [ada, 'nope'],
      [eve, _id],
    ] as const)
      expect(await client.post(CONNECT, { direction: 'inbound', assistantId })).toMatchObject({
        status: 404,
        body: { message: 'Assistant not found!' },
      });
    const phone = {
      direction: 'outbound',
      phoneNumberId: 'n',
      customer: { number: '+4712345678' },
    };
    expect(await ada.post(CONNECT, phone)).toMatchObject({
      status: 404,
      body: { message: 'Number not found!' },
    });
  });

  test('an assistant whose vendor this service no longer has cannot take calls, and says why', async () => {
    const { _id } = await createAssistant({ config: { speech: { stt: { vendor: 'deepgram' } } } });
    const smaller = await startTestApi(db(), {
      vendors: {
        llm: { names: ['offline'], defaultName: 'offline' },
        stt: { names: ['offline'], defaultName: 'offline' },
        tts: { names: ['offline'], defaultName: 'offline' },
      },
    });
    const client = createClient(smaller.app, ada);
    expect(await client.post(CONNECT, { direction: 'inbound', assistantId: _id })).toMatchObject({
      status: 409,
      body: {
        message:
          'The assistant cannot take calls as it is: config.speech.stt.vendor: unknown vendor "deepgram"; known: offline',
      },
    });
    await smaller.close();
  });

  test.each([
    [503, { ready: () => false }, 'No new calls are taken at the moment'],
    [429, { hasRoom: () => false }, 'Too many calls at once'],
  ])('%i when closed or full', async (status, overrides, message) => {
    const closed = await startTestApi(db(), overrides);
    const answer = await createClient(closed.app, ada).post(CONNECT, {
      direction: 'inbound',
      assistant: { name: 'A' },
    });
    expect(answer).toMatchObject({ status, body: { message } });
    expect(answer.headers['retry-after']).toBe('5');
    await closed.close();
  });
});
