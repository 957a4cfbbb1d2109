import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { assistantConfigSchema } from '../../src/contract/assistant.ts';
import { resolveCallSettings } from '../../src/engine/settings/resolve-settings.ts';
import { SchemaBusyError, SchemaChecker } from '../../src/lib/schema-checker.ts';
import { FIELDS } from '../conformance/rows.ts';
import { startTestApi, type TestApi, type TestClient, testVendors } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const PATH = '/assistants/v1/assistants';
const SET_BY_SERVICE = ['_id', 'teamId', 'createdAt', 'updatedAt'];

/** The value at a path; of arrays, in the first item. */
const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => {
    const one = Array.isArray(inner) ? inner[0] : inner;
    return (one as Record<string, unknown> | undefined)?.[name];
  }, value);

/** All fields of the contract's table, each with a value other than its default. */
const fullAssistant = ({
  toolId,
  knowledgeBaseId,
}: {
  toolId: string;
  knowledgeBaseId: string;
}) => ({
  name: 'Full',
  welcomeMessage: 'Hi {{customer.name}}',
  welcomeMessageMode: 'assistant-waits-for-user',
  welcomeMessageInterruptionsEnabled: false,
  assistantProvider: 'custom-llm',
  assistantModel: 'mine',
  assistantLLMUrl: 'https://models.example/v1',
  assistantSystemPrompt: 'Be brief.',
  assistantTemperature: 0,
  assistantMaxTokens: 77,
  assistantResponseSplitter: '|',
  config: {
    speech: {
      stt: { vendor: 'deepgram', languages: 'de-DE' },
      sttFallback: { enabled: true, vendor: 'deepgram', languages: 'de-DE' },
      ttsData: [
        {
          ...{ enabled: false, vendor: 'elevenlabs', language: 'de-DE', voice: 'v1' },
          config: {
            ...{ modelId: 'm', stability: 0.1, similarityBoost: 0.2, speakerBoost: false },
            ...{ styleExaggeration: 0.3, seed: 7, speed: 1.1, applyTextNormalization: false },
          },
        },
        { vendor: 'offline' },
      ],
    },
  },
  hints: ['Oslo', 'Ålesund'],
  backgroundSound: 'https://sounds.example/rain.mp3',
  backgroundSoundVolume: 31,
  ttsCacheEnabled: false,
  ttsAudioCacheScope: 'team',
  maxConsecutiveTtsFailures: 9,
  recordingEnabled: false,
  recordAfterTransfer: true,
  postCallTranscriptsEnabled: false,
  assistantBackchannelingEnabled: true,
  dtmfInputEnabled: true,
  maxCallDuration: 119,
  idleTimeout: 599,
  maxIdleMessagesInSequence: 5,
  startSpeakingOptions: {
    ...{ waitSeconds: 0.9, smartEndpointing: 'off', onPunctuationSeconds: 0.3 },
    ...{ onNoPunctuationSeconds: 2.5, onNumberSeconds: 1.5 },
    ...{ EngineBaseValue: 222, EngineScaleValue: 3333 },
  },
  stopSpeakingOptions: { numberOfWords: 4, voiceSeconds: 0.4 },
  userInterruptionAckPlan: { enabled: true, count: 2, words: 3, phrases: ['Mm.'] },
  assistantToolIds: [toolId],
  assistantPredefinedTools: {
    ...{ knowledgeBase: true, endCall: true, appointment: true, volumeControl: true },
    ...{ waitList: true, callForward: true, sendSms: true },
  },
  assistantType: 'workflow_based',
  assistantKnowledgeBaseIds: [knowledgeBaseId],
  endCallMessage: 'Bye.',
  endCallToolDescription: 'Ends it.',
  endCallPhrases: ['goodbye'],
  callForwardData: { phoneNumber: '+4712345678', extension: '12', name: 'Desk' },
  warmTransferEnabled: true,
  warmTransferConversational: true,
  holdMusicUrl: 'https://sounds.example/hold.ogg',
  warmTransferTimeout: 44,
  assistantAnalysis: {
    summary: { enabled: true, prompt: 'Sum up.', timeoutSeconds: 11 },
    successEvaluation: { enabled: true, prompt: 'Judge.', rubric: 'Checklist', timeoutSeconds: 12 },
    structuredData: {
      ...{ enabled: true, prompt: 'Extract.', timeoutSeconds: 13 },
      schema: { type: 'object', properties: { zeta: { type: 'string' }, a: { type: 'number' } } },
    },
  },
  assistantOverrides: {
    ...{ welcomeMessage: 'Hej.', welcomeMessageMode: 'automatic' },
    ...{ welcomeMessageInterruptionsEnabled: false, recordingEnabled: false },
    ...{ recordAfterTransfer: true, postCallTranscriptsEnabled: false },
    ...{ maxConsecutiveTtsFailures: 8, warmTransferEnabled: true },
    ...{ warmTransferConversational: true, holdMusicUrl: 'https://sounds.example/b.wav' },
    ...{ warmTransferTimeout: 43, recordingPath: 'a/b', dynamicVariables: { city: 'Oslo' } },
  },
  assistantServer: {
    ...{ url: 'https://hooks.example/a', timeoutSeconds: 7, secret: 's', headers: { 'X-A': 'b' } },
    ...{ enabled: true, messages: ['hang'] },
  },
  assistantOutcome: [{ type: 'date', field: 'booking.date' }],
  smsConfiguration: { enabled: true, sameAsAssistant: false, smsPrompt: 'Be very brief.' },
  persistHistory: { enabled: true, call: false, sms: true, retentionPeriod: 91 },
});

withDatabase('assistants', ({ db, newTeam }) => {
  let api: TestApi;
  let ada: TestClient;
  let eve: TestClient;
  beforeAll(async () => {
    api = await startTestApi(db());
    ada = await api.client(await newTeam());
    eve = await api.client(await newTeam());
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(() => api.close());

  const create = async (fields: object = {}) =>
    (await ada.post(PATH, { name: 'Guide', ...fields })).body;

  test('a name is enough: 201 with every default', async () => {
    const { status, body } = await ada.post(PATH, { name: 'Guide' });
    expect(status).toBe(201);
    const { _id, teamId, createdAt, updatedAt, ...config } = body;
    expect(config).toEqual(assistantConfigSchema(testVendors).parse({ name: 'Guide' }));
    expect(teamId).toBe(ada.teamId);
    expect(updatedAt).toBe(createdAt);
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect((await ada.get(`${PATH}/${_id}`)).body).toEqual(body);
  });

  test('every field of the contract comes back as it was sent, none with its default', async () => {
    const tool = await ada.post('/assistants/v1/tools', {
      function: { name: 'look' },
      server: { url: 'https://tools.example/hook' },
    });
    const base = await ada.post('/kb/v1/knowledge-bases', { title: 'Zoo' });
    const sent = fullAssistant({ toolId: tool.body._id, knowledgeBaseId: base.body.id });
    const { status, body } = await ada.post(PATH, sent);
    expect([status, body.message]).toEqual([201, undefined]);
    const read = (await ada.get(`${PATH}/${body._id}`)).body;
    const defaults = (await ada.post(PATH, { name: 'Default' })).body;
    const paths = Object.keys(FIELDS.Assistant).filter((path) => !SET_BY_SERVICE.includes(path));
    expect(paths.length).toBeGreaterThan(100);
    for (const path of paths) {
      expect.soft(valueAt(sent, path), `${path} is sent`).toBeDefined();
      expect.soft(valueAt(read, path), path).toEqual(valueAt(sent, path));
      expect.soft(valueAt(read, path), `${path} by default`).not.toEqual(valueAt(defaults, path));
    }
  });

  test('data that is wanted by no JSON Schema is refused, at creation and in a patch', async () => {
    const schema = { properties: { when: { $ref: '#/nowhere' } } };
    const fields = { assistantAnalysis: { structuredData: { schema } } };
    const refused = {
      status: 400,
      body: {
        message: expect.stringMatching(
          /^assistantAnalysis\.structuredData\.schema\.properties\.when: can't resolve reference/,
        ),
      },
    };
    expect(await ada.post(PATH, { name: 'Guide', ...fields })).toMatchObject(refused);
    const { _id } = await create();
    expect(await ada.patch(`${PATH}/${_id}`, fields)).toMatchObject(refused);
  });

  test('a schema is checked when it comes, not again by patches that leave it as it is', async () => {
    const schema = { properties: { when: { type: 'string' } }, required: ['when'] };
    const fields = { assistantAnalysis: { structuredData: { schema } } };
    const { _id } = await create(fields);
    const compile = vi.spyOn(SchemaChecker.prototype, 'compile');
    for (const patch of [{ name: 'Usher' }, fields])
      expect((await ada.patch(`${PATH}/${_id}`, patch)).status).toBe(200);
    expect(compile).not.toHaveBeenCalled();
    const changed = { assistantAnalysis: { structuredData: { schema: { required: ['who'] } } } };
    expect((await ada.patch(`${PATH}/${_id}`, changed)).status).toBe(200);
    expect(compile).toHaveBeenCalledOnce();
  });

  test('a machine too busy to check a schema is no fault of the schema: 503', async () => {
    const busy = new SchemaBusyError('was not checked within 10 s: the service is busy');
    vi.spyOn(SchemaChecker.prototype, 'compile').mockRejectedValue(busy);
    const { status, headers, body } = await ada.post(PATH, { name: 'Guide' });
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect(body.message).toBe(
      'assistantAnalysis.structuredData.schema was not checked within 10 s: the service is busy',
    );
  });

  const speaking = (languages: string) => ({
    name: 'Abroad',
    config: { speech: { stt: { vendor: 'deepgram', languages } } },
  });

  test('a language that there is none of is refused', async () => {
    for (const languages of ['xx-YY', 'en-US, xx-YY']) {
      const { status, body } = await ada.post(PATH, speaking(languages));
      expect(status).toBe(400);
      expect(body.message).toContain('config.speech.stt.languages: there is no language "xx-YY"');
    }
  });

  test('a language whose words turn-taking does not know is taken with a warning, the others without', async () => {
    const danish = await ada.post(PATH, speaking('en-GB, da-DK'));
    expect(danish.status).toBe(201);
    const warnings = danish.body.warnings.filter(
      ({ code }: { readonly code: string }) => code === 'language-without-words',
    );
    expect(warnings).toEqual([
      {
        code: 'language-without-words',
        path: 'config.speech.stt.languages',
        message: expect.stringContaining('knows no words of Danish'),
      },
    ]);
    const polish = await ada.post(PATH, speaking('pl-PL, hi-IN, pt-BR, it-IT, nl-NL, sv-SE'));
    expect(polish.status).toBe(201);
    expect(JSON.stringify(polish.body)).not.toContain('language-without-words');
  });

  test('workflow_based is taken with the seed’s fields alone, and said to behave by its prompt', async () => {
    const { status, body } = await ada.post(PATH, {
      name: 'Flow',
      assistantType: 'workflow_based',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      assistantType: 'workflow_based',
      warnings: [{ code: 'workflow-missing', path: 'assistantWorkflow' }],
    });
    expect(body).not.toHaveProperty('assistantWorkflow');
    const settings = resolveCallSettings({
      assistant: assistantConfigSchema(testVendors).parse({
        name: 'Flow',
        assistantType: 'workflow_based',
        assistantSystemPrompt: 'Sell bicycles.',
      }),
      variables: {},
      toolNames: new Map(),
      callType: 'web',
      direction: 'inbound',
      tools: [],
      expected: [],
      stt: { finalLatencyP99Ms: 100, turnAware: false },
      drafts: false,
      seed: 1,
    });
    expect(settings).toMatchObject({ systemPrompt: 'Sell bicycles.' });
    expect(settings).not.toHaveProperty('workflow');
  });

  test('the list is newest first, whole by default, paged on request', async () => {
    const carl = await api.client(await newTeam());
    const names: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await carl.post(PATH, { name });
      names.unshift(name);
    }
    const namesOf = (body: { name: string }[]) => body.map(({ name }) => name);
    expect(namesOf((await carl.get(PATH)).body)).toEqual(names);

    const seen: string[] = [];
    let url: string | undefined = `${PATH}?limit=2`;
    for (let pages = 0; url !== undefined && pages < 10; pages++) {
      const { body, headers } = await carl.get(url);
      seen.push(...namesOf(body));
      url = /^<([^>]+)>; rel="next"$/.exec(headers.link ?? '')?.[1];
    }
    expect(seen).toEqual(names);
  });

  test.each([
    ['limit=0', 'limit: must be at least 1'],
    ['limit=1001', 'limit: must be at most 1000'],
    ['limit=x', 'limit: must be a number'],
    ['limit=1&limit=2', 'limit: must be a number'],
    ['lmit=1', 'lmit: unknown field'],
  ])('a list with ?%s is refused', async (query, message) => {
    const answer = await ada.get(`${PATH}?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { message } });
  });

  describe('PATCH', () => {
    test('merges objects, replaces arrays, and gives back defaults', async () => {
      const before = await create({ hints: ['a', 'b'], idleTimeout: 20 });
      const { status, body } = await ada.patch(`${PATH}/${before._id}`, {
        hints: ['c'],
        idleTimeout: null,
        startSpeakingOptions: { waitSeconds: 1 },
      });
      expect(status).toBe(200);
      expect(body).toEqual({
        ...before,
        hints: ['c'],
        idleTimeout: 10,
        startSpeakingOptions: { ...before.startSpeakingOptions, waitSeconds: 1 },
        updatedAt: body.updatedAt,
      });
      expect((await ada.get(`${PATH}/${before._id}`)).body).toEqual(body);
    });

    test('takes the media type of merge patches', async () => {
      const { _id } = await create();
      const { status, body } = await ada.patch(
        `${PATH}/${_id}`,
        { name: 'Renamed' },
        { 'content-type': 'application/merge-patch+json' },
      );
      expect([status, body.name]).toEqual([200, 'Renamed']);
    });

    test('is refused as a whole when the merged assistant breaks a rule, and changes nothing', async () => {
      const before = await create({
        assistantPredefinedTools: { endCall: true },
        endCallMessage: 'Bye.',
      });
      const answer = await ada.patch(`${PATH}/${before._id}`, {
        name: 'Changed',
        assistantPredefinedTools: { endCall: false },
      });
      expect(answer.status).toBe(400);
      expect(answer.body.message).toBe(
        'endCallMessage: is allowed only when assistantPredefinedTools.endCall is true',
      );
      expect((await ada.get(`${PATH}/${before._id}`)).body).toEqual(before);
    });

    test('two at once lose nothing', async () => {
      const { _id } = await create();
      const fields = [
        { welcomeMessage: 'w' },
        { idleTimeout: 33 },
        { hints: ['h'] },
        { maxCallDuration: 7 },
      ];
      const answers = await Promise.all(fields.map((patch) => ada.patch(`${PATH}/${_id}`, patch)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect((await ada.get(`${PATH}/${_id}`)).body).toMatchObject(Object.assign({}, ...fields));
    });

    test.each([
      [{ idleTimeout: 4 }, 'idleTimeout: must be at least 5'],
      [{ nope: 1 }, 'nope: unknown field'],
      [{ nope: null }, 'nope: unknown field'],
      [{ _id: 'x' }, '_id: unknown field'],
      [
        { config: { speech: { stt: { vendor: 'x' } } } },
        'config.speech.stt.vendor: unknown vendor "x"; known: offline, deepgram',
      ],
      [{ name: null }, 'name: must be a string'],
      [[], 'must be an object'],
    ])('%j is refused', async (patch, message) => {
      const { _id } = await create();
      const answer = await ada.patch(`${PATH}/${_id}`, patch);
      expect(answer).toMatchObject({ status: 400, body: { message } });
    });
  });

  test('the deprecated cache scope still works, and is said to be deprecated', async () => {
    const made = await ada.post(PATH, { name: 'Old', ttsAudioCacheScope: 'global' });
    expect(made).toMatchObject({ status: 201, body: { ttsAudioCacheScope: 'global' } });
    expect(made.headers.deprecation).toMatch(/^@\d+$/);
    const url = `${PATH}/${made.body._id}`;
    expect((await ada.patch(url, { name: 'Older' })).headers).toHaveProperty('deprecation');
    const fixed = await ada.patch(url, { ttsAudioCacheScope: null });
    expect(fixed.headers).not.toHaveProperty('deprecation');
  });

  test('DELETE answers with the id, and it is gone', async () => {
    const { _id } = await create();
    expect(await ada.delete(`${PATH}/${_id}`)).toMatchObject({ status: 200, body: { id: _id } });
    for (const method of ['GET', 'DELETE'])
      expect(await ada.send(method, `${PATH}/${_id}`)).toMatchObject({
        status: 404,
        body: { message: 'Assistant not found!' },
      });
  });

  test('another team sees, changes and deletes nothing', async () => {
    const mine = await create();
    const url = `${PATH}/${mine._id}`;
    for (const answer of [
      await eve.get(url),
      await eve.patch(url, { name: 'Stolen' }),
      await eve.delete(url),
    ])
      expect(answer).toMatchObject({ status: 404, body: { message: 'Assistant not found!' } });
    expect((await eve.get(PATH)).body).toEqual([]);
    expect((await ada.get(url)).body).toEqual(mine);
  });

  test('what an assistant names must exist in its team', async () => {
    const theirs = (await eve.post('/kb/v1/knowledge-bases', { title: 'Eve' })).body;
    const answer = await ada.post(PATH, {
      name: 'Guide',
      assistantPredefinedTools: { knowledgeBase: true },
      assistantKnowledgeBaseIds: [theirs.id],
      assistantToolIds: ['nope'],
    });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        message: `assistantToolIds.0: there is no such tool: nope; assistantKnowledgeBaseIds.0: there is no such knowledge base: ${theirs.id}`,
      },
    });
  });

  test('a list has the wanted fields alone, and refuses others', async () => {
    await ada.post(PATH, { name: 'Short', assistantServer: { secret: 'secret-of-the-server' } });
    const { text } = await ada.get(`${PATH}?fields=name,hints&limit=1`);
    expect(JSON.parse(text)).toEqual([{ _id: expect.any(String), name: 'Short', hints: [] }]);
    expect((await ada.get(`${PATH}?limit=1`)).body[0].idleTimeout).toBe(10);
    for (const fields of ['', 'nonsense', 'name,', 'constructor'])
      expect((await ada.get(`${PATH}?fields=${fields}`)).status).toBe(400);
  });

  test.each(['nope', '%00', '..%2Fx', 'x'.repeat(400), '%F0%9F%98%80', '_id'])(
    'an odd id is missing: %s',
    async (id) => {
      expect(await ada.get(`${PATH}/${id}`)).toMatchObject({
        status: 404,
        body: { message: 'Assistant not found!' },
      });
    },
  );
});
