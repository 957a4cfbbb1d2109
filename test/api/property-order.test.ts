import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDifferences, replayJournal } from '../../src/engine/machine/replay.ts';
import { appendCallEvents, readCallEvents } from '../../src/store/call-events.ts';
import { writeCallRecords } from '../../src/store/call-records.ts';
import { getCall } from '../../src/store/calls.ts';
import { sealSecrets } from '../../src/store/seal-secrets.ts';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { CallHarness } from '../support/call-harness.ts';
import { collect } from '../support/collect.ts';
import { withDatabase } from '../support/postgres.ts';

const TOOLS = '/assistants/v1/tools';
const ASSISTANTS = '/assistants/v1/assistants';

/** `jsonb` would sort these by length, then by byte. */
const SCHEMA = {
  type: 'object',
  properties: {
    surname: { type: 'string', description: 'as on the passport' },
    age: { minimum: 0, type: 'integer' },
    b: { type: 'string' },
    a: { enum: ['y', 'x'], type: 'string' },
  },
  required: ['surname', 'age'],
};
/** The order after validation of a tool: known keywords first, properties as sent. */
const PARAMETERS = {
  type: 'object',
  properties: {
    surname: { type: 'string', description: 'as on the passport' },
    age: { type: 'integer', minimum: 0 },
    b: { type: 'string' },
    a: { type: 'string', enum: ['y', 'x'] },
  },
  required: ['surname', 'age'],
  additionalProperties: false,
};
const HEADERS = { 'X-Team': 'one', 'X-A': 'two', Accept: 'three' };

/** Equality that includes the order of properties. */
const expectSame = (actual: unknown, expected: unknown) =>
  expect(JSON.stringify(actual)).toBe(JSON.stringify(expected));

withDatabase('the order of properties', ({ db, newTeam }) => {
  let api: TestApi;
  let ada: TestClient;
  beforeAll(async () => {
    api = await startTestApi(db());
    ada = await api.client(await newTeam());
  });
  afterAll(() => api.close());

  const newTool = async () =>
    (
      await ada.post(TOOLS, {
        function: { name: `tool_${Math.random().toString(36).slice(2)}`, parameters: PARAMETERS },
        server: { url: 'https://tools.example/hook', secret: 'sealed', headers: HEADERS },
      })
    ).body;

  test('of a tool is as it was sent: created, read, listed, patched, read', async () => {
    const tool = await newTool();
    const url = `${TOOLS}/${tool._id}`;
    expectSame(tool.function.parameters, PARAMETERS);
    const read = (await ada.get(url)).body;
    expectSame(read.function.parameters, PARAMETERS);
    expectSame(read.server.headers, HEADERS);
    expectSame((await ada.get(TOOLS)).body.at(0), read);
    const description = 'Books a seat.';
    await ada.patch(url, { function: { name: tool.function.name, description } });
    expectSame((await ada.get(url)).body.function.parameters, PARAMETERS);
  });

  test('of an assistant stays through patches: what is new comes last, what changes keeps its place', async () => {
    const variables = { zoo: '1', city: 'Oslo', a: '2' };
    const { body } = await ada.post(ASSISTANTS, {
      name: 'Guide',
      assistantAnalysis: { structuredData: { enabled: true, schema: SCHEMA } },
      assistantOverrides: { dynamicVariables: variables },
      assistantServer: { enabled: true, url: 'https://h.example', secret: 's', headers: HEADERS },
    });
    const url = `${ASSISTANTS}/${body._id}`;
    const patch = {
      assistantOverrides: { dynamicVariables: { b: '3', city: 'Bergen' } },
      assistantAnalysis: { structuredData: { schema: { properties: { age: { minimum: 18 } } } } },
    };
    expect((await ada.patch(url, patch)).status).toBe(200);
    const read = (await ada.get(url)).body;
    expectSame(read.assistantOverrides.dynamicVariables, {
      zoo: '1',
      city: 'Bergen',
      a: '2',
      b: '3',
    });
    const changed = structuredClone(SCHEMA);
    changed.properties.age.minimum = 18;
    expectSame(read.assistantAnalysis.structuredData.schema, changed);
    expectSame(read.assistantServer.headers, HEADERS);
  });

  test('of a call’s metadata and of the tools in its snapshot is that of their writers', async () => {
    const tool = await newTool();
    const { body: assistant } = await ada.post(ASSISTANTS, {
      name: 'Guide',
      assistantToolIds: [tool._id],
    });
    const metadata = { zeta: 1, b: { y: 1, x: 2 }, alpha: [{ d: 1, c: 2 }] };
    const connected = await ada.post('/calls/v1/conversations/connect', {
      direction: 'inbound',
      assistantId: assistant._id,
      metadata,
    });
    expect(connected.status).toBe(201);
    const { id } = connected.body;
    expectSame((await ada.get(`/calls/v1/conversations/${id}`)).body.metadata, metadata);
    const { snapshot } = await getCall(db(), { teamId: ada.teamId, id });
    expectSame(snapshot.tools?.[0]?.config.function.parameters, PARAMETERS);
  });

  const newCall = async (): Promise<string> =>
    (
      await ada.post('/calls/v1/conversations/connect', {
        direction: 'inbound',
        assistant: { name: 'Guide' },
      })
    ).body.id;

  test('of a call’s events is that of their writers, whichever way they are written', async () => {
    const line = (seq: number) => ({
      ...({ seq, at: seq, kind: 'note', type: 'seen' } as const),
      data: { surname: 'Eng', age: 7, b: [{ d: 1, c: 2 }], a: { zoo: 1, y: 2 } },
    });
    const callId = await newCall();
    const batch = { teamId: ada.teamId, callId, lines: [line(1)], messages: [] };
    await writeCallRecords(db(), [batch, { ...batch, callId: await newCall() }]);
    await appendCallEvents(db(), { teamId: ada.teamId, callId, lines: [line(2)] });
    const { text } = await ada.get(`/calls/v1/conversations/${callId}/events`);
    const read = text
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each));
    expectSame(
      read.map(({ data }) => data),
      [line(1).data, line(2).data],
    );
  });

  test('is kept in a stored journal, so that a call with tools replays without a difference', async () => {
    const tool = {
      definition: { name: 'book', description: 'Books a seat.', parameters: PARAMETERS },
      ...{ async: false, readOnly: true, timeoutMs: 1000, lines: [] },
    };
    const call = new CallHarness({ settings: { tools: [tool] } }).answer();
    call.says(2000, 'Book a seat for me.');
    call.runTo(20_000);
    expect(call.of('llm.start')).toHaveLength(1);
    const callId = await newCall();
    await appendCallEvents(db(), { teamId: ada.teamId, callId, lines: call.journal });
    const stored = await collect(readCallEvents(db(), { callId }));
    expect(findDifferences(replayJournal(stored))).toEqual([]);
  });

  test('of calendars, wait lists and knowledge bases is the same when made and when read', async () => {
    const payload = {
      urls_to_include: [{ url: 'https://zoo.example/', subpaths_only: true, recursive: false }],
      urls_to_exclude: [],
    };
    for (const [path, body, list] of [
      ['/assistants/v1/calendars', { name: 'Desk', slotMinutes: 20 }, undefined],
      ['/assistants/v1/wait-lists', { name: 'Table', maxEntries: 3 }, undefined],
      [
        '/kb/v1/knowledge-bases',
        { title: 'Zoo', docs: [{ type: 'url', payload }] },
        'knowledge_bases',
      ],
    ] as const) {
      const { status, body: made } = await ada.post(path, body);
      expect(status).toBe(201);
      expectSame((await ada.get(`${path}/${made._id ?? made.id}`)).body, made);
      const all = (await ada.get(path)).body;
      expectSame((list === undefined ? all : all[list]).at(0), made);
    }
  });

  test('stays when secrets are sealed anew, and when a knowledge base is taken away', async () => {
    const base = await ada.post('/kb/v1/knowledge-bases', { title: 'Zoo' });
    expect(base.status).toBe(201);
    const tool = await newTool();
    const { status, body } = await ada.post(ASSISTANTS, {
      name: 'Guide',
      assistantPredefinedTools: { knowledgeBase: true },
      assistantKnowledgeBaseIds: [base.body.id],
      assistantAnalysis: { structuredData: { enabled: true, schema: SCHEMA } },
      assistantServer: { enabled: true, url: 'https://h.example', secret: 's', headers: HEADERS },
    });
    expect(status).toBe(201);
    await sealSecrets(db());
    const url = `${ASSISTANTS}/${body._id}`;
    expectSame((await ada.get(`${TOOLS}/${tool._id}`)).body, tool);
    const before = (await ada.get(url)).body;
    expect((await ada.delete(`/kb/v1/knowledge-bases/${base.body.id}`)).status).toBe(200);
    const after = (await ada.get(url)).body;
    expect(after.assistantKnowledgeBaseIds).toEqual([]);
    const { assistantKnowledgeBaseIds: _, updatedAt: __, ...rest } = before;
    const { assistantKnowledgeBaseIds: ___, updatedAt: ____, ...left } = after;
    expectSame(left, rest);
    expectSame(left.assistantServer.headers, HEADERS);
  });
});
