import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/system-clock.ts';
import type { VendorAccesses } from '../../src/lib/vendor-accounts.ts';
import { createProviders, type Providers } from '../../src/providers/registry.ts';
import { watchTeamVendors } from '../../src/service/team-vendors.ts';
import { createApiKey } from '../../src/store/api-keys.ts';
import { createClient, startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { type ChatEmulator, startChatEmulator } from '../support/chat-completions-emulator.ts';
import { startElevenLabsEmulator } from '../support/elevenlabs-emulator.ts';
import { withDatabase } from '../support/postgres.ts';
import type { VendorSocketEmulator } from '../support/vendor-socket-emulator.ts';

const VENDORS = '/vendors/v1/vendors';
const ACCOUNTS = '/vendors/v1/accounts';
const KEY = 'sk-of-the-team-0123456789';
const log = { debug() {}, info() {}, warn() {}, error() {} };

withDatabase('a team’s vendors', ({ db, newTeam }) => {
  let api: TestApi;
  let providers: Providers;
  let chat: ChatEmulator;
  let speech: VendorSocketEmulator;
  let maySpeak: Promise<void> | undefined;
  beforeAll(async () => {
    chat = await startChatEmulator({ apiKey: KEY });
    chat.script({ deltas: ['ready'] });
    speech = await startElevenLabsEmulator({
      apiKey: KEY,
      voices: [{ voice_id: 'ada', name: 'Ada', labels: { gender: 'female', language: 'en' } }],
    });
    const vendors: VendorAccesses = {
      // The operator says where the vendors are, and has a key for one of them.
      OPENAI: { baseUrl: chat.baseUrl },
      ELEVENLABS: { baseUrl: speech.baseUrl },
      DEEPGRAM: { apiKey: 'of-the-service', baseUrl: 'http://127.0.0.1:9' },
    };
    providers = createProviders({ vendors, allowPrivateTargets: false, clock: systemClock, log });
    const watch = watchTeamVendors({ db: db(), providers, clock: systemClock, log });
    api = await startTestApi(db(), {
      hasAccount: (vendor) => vendor === 'deepgram',
      vendorProblems: (assistant, team) => providers.problemsOf(assistant, team),
      vendorTrials: {
        ...providers.trials,
        refresh: () => watch.refresh(),
        async speak(request) {
          await maySpeak;
          return providers.trials.speak(request);
        },
      },
    });
  });
  afterAll(async () => {
    await api.close();
    await providers.close();
    await chat[Symbol.asyncDispose]();
    await speech[Symbol.asyncDispose]();
  });

  const newClient = async () => api.client(await newTeam());
  const accountOf = async (client: TestClient, vendor: string) =>
    (await client.get(VENDORS)).body.accounts.find(
      (one: { readonly vendor: string }) => one.vendor === vendor,
    );
  const partOf = async (client: TestClient, part: string, name: string) =>
    (await client.get(VENDORS)).body.parts.find(
      (one: { readonly part: string; readonly name: string }) =>
        one.part === part && one.name === name,
    );

  test('says of each part whether it is ready, and what it needs', async () => {
    const client = await newClient();
    expect(await partOf(client, 'model', 'offline')).toEqual({
      part: 'model',
      name: 'offline',
      ready: true,
    });
    expect(await partOf(client, 'model', 'openai')).toEqual({
      part: 'model',
      name: 'openai',
      account: 'openai',
      ready: false,
      missing: 'a key',
    });
    expect(await partOf(client, 'recogniser', 'deepgram-flux')).toMatchObject({
      account: 'deepgram',
      ready: true,
    });
    expect(await partOf(client, 'voice', 'sherpa-onnx')).toMatchObject({
      ready: false,
      missing: 'a model folder',
    });
    expect(await accountOf(client, 'deepgram')).toMatchObject({ account: 'service' });
  });

  test('a key that is set is used from the next request on, never shown, and gone when removed', async () => {
    const client = await newClient();
    const stt = { vendor: 'offline' };
    const speech = { stt, ttsData: [{ vendor: 'offline' }] };
    const assistant = { name: 'A', assistantProvider: 'openai', config: { speech } };
    const before = await client.post('/assistants/v1/assistants', assistant);
    expect(before.body.warnings).toMatchObject([
      { code: 'vendor-not-ready', path: 'assistantProvider' },
    ]);
    const connect = { direction: 'inbound', assistantId: before.body._id };
    const refused = await client.post('/calls/v1/conversations/connect', connect);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('no key')]);

    const set = await client.put(`${ACCOUNTS}/openai`, { apiKey: KEY, concurrency: 3 });
    expect(set.body).toMatchObject({ vendor: 'openai', account: 'team', concurrency: 3 });
    expect(await partOf(client, 'model', 'openai')).toMatchObject({ ready: true });
    const answers = [set, await client.get(VENDORS)];
    for (const { text } of answers) expect(text).not.toContain(KEY);
    expect((await client.post('/calls/v1/conversations/connect', connect)).status).toBe(201);

    const removed = await client.delete(`${ACCOUNTS}/openai`);
    expect(removed.body).toEqual({ vendor: 'openai', account: 'none' });
    expect((await client.delete(`${ACCOUNTS}/openai`)).status).toBe(404);
    expect(await partOf(client, 'model', 'openai')).toMatchObject({ ready: false });
  });

  test('another team does not have the key', async () => {
    const client = await newClient();
    await client.put(`${ACCOUNTS}/openai`, { apiKey: KEY });
    const other = await newClient();
    expect(await accountOf(other, 'openai')).toEqual({ vendor: 'openai', account: 'none' });
    expect((await other.post(`${ACCOUNTS}/openai/test`)).status).toBe(409);
    expect((await other.get('/vendors/v1/models?vendor=openai')).status).toBe(409);
  });

  test('admins alone set keys, and nobody says where the vendor is', async () => {
    const teamId = await newTeam();
    const { key } = await createApiKey(db(), { teamId, name: 'B', role: 'builder' });
    const builder = createClient(api.app, { key, teamId });
    expect((await builder.put(`${ACCOUNTS}/openai`, { apiKey: KEY })).status).toBe(403);
    const admin = await api.client(teamId);
    for (const body of [{}, { apiKey: ' ' }, { apiKey: KEY, baseUrl: 'http://10.0.0.1' }])
      expect((await admin.put(`${ACCOUNTS}/openai`, body)).status).toBe(400);
    expect((await admin.put(`${ACCOUNTS}/nobody`, { apiKey: KEY })).status).toBe(404);
  });

  describe('a test of a vendor', () => {
    test('tries each part with the team’s key', async () => {
      const client = await newClient();
      await client.put(`${ACCOUNTS}/elevenlabs`, { apiKey: KEY });
      const { body } = await client.post(`${ACCOUNTS}/elevenlabs/test`);
      expect(body).toMatchObject([{ part: 'voice', name: 'elevenlabs', ok: true }]);
    });

    test('says why a vendor refuses, without the key', async () => {
      const client = await newClient();
      const wrong = 'sk-wrong-0123456789';
      await client.put(`${ACCOUNTS}/elevenlabs`, { apiKey: wrong });
      const { body, text } = await client.post(`${ACCOUNTS}/elevenlabs/test`);
      expect(body).toMatchObject([{ part: 'voice', ok: false }]);
      expect(body[0].note).toMatch(/^auth: elevenlabs/);
      expect(text).not.toContain(wrong);
    });

    test('of a vendor without a key is refused', async () => {
      const client = await newClient();
      expect((await client.post(`${ACCOUNTS}/openai/test`)).status).toBe(409);
      expect((await client.post(`${ACCOUNTS}/nobody/test`)).status).toBe(404);
    });
  });

  describe('voices', () => {
    test('of a vendor are those of its own list', async () => {
      const client = await newClient();
      await client.put(`${ACCOUNTS}/elevenlabs`, { apiKey: KEY });
      const { body } = await client.get('/vendors/v1/voices?vendor=elevenlabs');
      expect(body.voices).toEqual([
        { id: 'ada', name: 'Ada', languages: ['en'], gender: 'female' },
      ]);
    });

    test('that are built in need nothing', async () => {
      const { body } = await (await newClient()).get('/vendors/v1/voices?vendor=offline');
      expect(body.voices[0]).toEqual({
        id: 'slt',
        name: 'slt',
        languages: ['en-US'],
        gender: 'female',
        description: 'American',
      });
    });

    test('of nobody are missing', async () => {
      const client = await newClient();
      expect((await client.get('/vendors/v1/voices?vendor=nobody')).status).toBe(404);
      expect((await client.get('/vendors/v1/voices')).status).toBe(400);
    });
  });

  describe('a sample', () => {
    const SPEECH = '/vendors/v1/speech';

    test('is a WAV file, by the vendor’s own voice', async () => {
      const client = await newClient();
      await client.put(`${ACCOUNTS}/elevenlabs`, { apiKey: KEY });
      const request = { vendor: 'elevenlabs', voice: 'ada', text: 'Good morning.' };
      const { status, headers, text } = await client.post(SPEECH, request);
      expect([status, headers['content-type']]).toEqual([200, 'audio/wav']);
      expect(text.slice(0, 4)).toBe('RIFF');
      expect(speech.connections.at(-1)?.url.pathname).toContain('/ada/');
    });

    test.each([
      [{ vendor: 'openai', text: 'Hello' }, 409],
      [{ vendor: 'nobody', text: 'Hello' }, 404],
      [{ vendor: 'offline', text: '' }, 400],
      [{ vendor: 'offline', text: 'x'.repeat(301) }, 400],
    ])('%j answers %i', async (request, status) => {
      expect((await (await newClient()).post(SPEECH, request)).status).toBe(status);
    });

    test('has to wait for another one of the team', async () => {
      const client = await newClient();
      const request = { vendor: 'offline', text: 'Two at once.' };
      const { promise, resolve } = Promise.withResolvers<void>();
      maySpeak = promise;
      // Whichever comes first waits, and the other one is refused at once.
      const both = [client.post(SPEECH, request), client.post(SPEECH, request)];
      expect((await Promise.race(both)).status).toBe(429);
      resolve();
      const statuses = (await Promise.all(both)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([200, 429]);
      expect((await client.post(SPEECH, request)).status).toBe(200);
    });
  });
});
