import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { SchemaChecker } from '../../src/lib/schema-checker.ts';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const PATH = '/assistants/v1/tools';
const MISSING = { status: 404, body: { message: 'Tool not found!' } };
const TAKEN = { status: 409, body: { message: 'Tool already exists with the same name' } };

withDatabase('tools', ({ db, newTeam }) => {
  let api: TestApi;
  let ada: TestClient;
  let eve: TestClient;
  beforeAll(async () => {
    api = await startTestApi(db());
    ada = await api.client(await newTeam());
    eve = await api.client(await newTeam());
  });
  afterAll(() => api.close());

  let count = 0;
  const config = (fields: object = {}) => ({
    function: { name: `tool_${++count}` },
    server: { url: 'https://tools.example/hook' },
    ...fields,
  });
  const create = async (fields: object = {}) => (await ada.post(PATH, config(fields))).body;

  test('its parameters are checked when they come, not again by patches that leave them as they are', async () => {
    const { _id, function: made } = await create();
    const compile = vi.spyOn(SchemaChecker.prototype, 'compile');
    try {
      const said = { function: { ...made, description: 'Books.' } };
      expect((await ada.patch(`${PATH}/${_id}`, said)).status).toBe(200);
      expect(compile).not.toHaveBeenCalled();
    } finally {
      compile.mockRestore();
    }
  });

  test('a name and a server are enough: 201 with every default', async () => {
    const { status, body } = await ada.post(PATH, {
      function: { name: 'book' },
      server: { url: 'https://tools.example/hook' },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      _id: expect.any(String),
      teamId: ada.teamId,
      type: 'function',
      async: false,
      function: {
        name: 'book',
        description: '',
        parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
        strict: false,
      },
      messages: [],
      server: {
        url: 'https://tools.example/hook',
        timeoutSeconds: 20,
        secret: '',
        headers: {},
      },
      createdAt: expect.any(String),
      updatedAt: body.createdAt,
    });
    expect((await ada.get(`${PATH}/${body._id}`)).body).toEqual(body);
  });

  test.each<[string, object, string]>([
    [
      'a remote reference',
      { a: { type: 'string' }, far: { $ref: 'https://elsewhere.example/schema.json' } },
      "function.parameters.properties.far: can't resolve reference https://elsewhere.example/schema.json from id #",
    ],
    [
      'a pattern that is none',
      { code: { pattern: '(' } },
      'function.parameters.properties.code: Invalid regular expression',
    ],
    [
      'more than any call could use',
      Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`p${i}`, { type: 'string' }])),
      'function.parameters: is longer than 65536 characters of JSON',
    ],
  ])('parameters that no call could check are refused: %s', async (_what, properties, message) => {
    const tool = { function: { name: 'bad', parameters: { properties } } };
    const made = await ada.post(PATH, { ...config(), ...tool });
    expect(made).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(message) },
    });
    const { _id } = await create();
    const patched = await ada.patch(`${PATH}/${_id}`, { function: { parameters: { properties } } });
    expect(patched).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(message) },
    });
  });

  test('every field comes back as it was sent', async () => {
    const sent = config({
      type: 'function',
      async: true,
      function: {
        name: 'full-tool',
        description: 'Books a table.',
        parameters: {
          type: 'object',
          properties: {
            when: { type: 'string', format: 'date-time', description: 'When', example: 'now' },
            guests: { type: 'integer', minimum: 1, enum: [1, 2] },
          },
          required: ['when'],
          additionalProperties: true,
        },
        strict: true,
      },
      messages: [
        { type: 'request-start', content: 'One moment.', blocking: true },
        { type: 'request-response-delayed', content: 'Still on it.', timingMilliseconds: 5000 },
        {
          type: 'request-complete',
          content: 'Done.',
          role: 'system',
          endCallAfterSpokenEnabled: true,
        },
        {
          type: 'request-failed',
          content: 'Sorry.',
          role: 'assistant',
          endCallAfterSpokenEnabled: false,
        },
      ],
      server: {
        url: 'http://10.0.0.1:8080/x?y=z',
        timeoutSeconds: 300,
        secret: 'whsec_abc',
        headers: { 'X-Key': 'v' },
      },
    });
    const { status, body } = await ada.post(PATH, sent);
    expect(status).toBe(201);
    expect(body).toMatchObject(sent);
  });

  test.each([
    [{ function: undefined }, 'function: is required'],
    [{ server: undefined }, 'server: is required'],
    [{ type: 'other' }, 'type: must be one of function, mcp'],
    [{ server: { url: 'ftp://x' } }, 'server.url: must be an absolute http(s) URL'],
    [
      { server: { url: 'https://x', timeoutSeconds: 301 } },
      'server.timeoutSeconds: must be at most 300',
    ],
    [
      { server: { url: 'https://x', headers: { 'a b': 'c' } } },
      'server.headers.a b: must be a header name',
    ],
    [
      { server: { url: 'https://x', headers: { a: 'b\r\nc: d' } } },
      'server.headers.a: must be a header value',
    ],
    [
      { function: { name: 'has space' } },
      'function.name: must be 1 to 64 letters, digits, dashes or underscores',
    ],
    [
      { function: { name: 'a', parameters: { required: ['b'] } } },
      'function.parameters.required.0: names no property: b',
    ],
    [
      { messages: [{ type: 'request-begun', content: 'x' }] },
      'messages.0.type: must be one of request-start, request-response-delayed, request-complete, request-failed',
    ],
    [
      { messages: [{ type: 'request-response-delayed', content: 'x', timingMilliseconds: 99 }] },
      'messages.0.timingMilliseconds: must be at least 100',
    ],
    [
      { messages: [{ type: 'request-start', content: 'x', role: 'system' }] },
      'messages.0.role: unknown field',
    ],
  ])('%j is refused', async (fields, message) => {
    expect(await ada.post(PATH, config(fields))).toMatchObject({ status: 400, body: { message } });
  });

  test('the list is newest first, the team’s own, and paged on request', async () => {
    const carl = await api.client(await newTeam());
    for (const name of ['a', 'b', 'c']) await carl.post(PATH, config({ function: { name } }));
    const names = (body: { function: { name: string } }[]) =>
      body.map((tool) => tool.function.name);
    expect(names((await carl.get(PATH)).body)).toEqual(['c', 'b', 'a']);
    const page = await carl.get(`${PATH}?limit=2`);
    expect(names(page.body)).toEqual(['c', 'b']);
    const next = /^<([^>]+)>/.exec(page.headers.link ?? '')?.[1] as string;
    expect(names((await carl.get(next)).body)).toEqual(['a']);
  });

  test('two tools of a team have two names', async () => {
    const first = await create({ function: { name: 'unique' } });
    expect(await ada.post(PATH, config({ function: { name: 'unique' } }))).toMatchObject(TAKEN);
    const second = await create();
    const url = `${PATH}/${second._id}`;
    expect(await ada.patch(url, { function: { name: 'unique' } })).toMatchObject(TAKEN);
    expect((await ada.get(url)).body).toEqual(second);
    expect((await ada.patch(`${PATH}/${first._id}`, { function: { name: 'unique' } })).status).toBe(
      200,
    );
    expect((await eve.post(PATH, config({ function: { name: 'unique' } }))).status).toBe(201);
  });

  test('of many that want one name at once, one gets it', async () => {
    const same = { function: { name: 'wanted' } };
    const tools = await Promise.all([create(), create(), create()]);
    const answers = await Promise.all([
      ...tools.map(({ _id }) => ada.patch(`${PATH}/${_id}`, same)),
      ada.post(PATH, config(same)),
    ]);
    const won = answers.filter(({ status }) => status < 300);
    expect(won).toHaveLength(1);
    for (const answer of answers) if (!won.includes(answer)) expect(answer).toMatchObject(TAKEN);
  });

  describe('PATCH', () => {
    test('merges', async () => {
      const before = await create({ messages: [{ type: 'request-start', content: 'a' }] });
      const { status, body } = await ada.patch(`${PATH}/${before._id}`, {
        async: true,
        function: { description: 'New.' },
        server: { timeoutSeconds: 5, headers: { 'X-A': '1' } },
        messages: null,
      });
      expect(status).toBe(200);
      expect(body).toEqual({
        ...before,
        async: true,
        function: { ...before.function, description: 'New.' },
        server: { ...before.server, timeoutSeconds: 5, headers: { 'X-A': '1' } },
        messages: [],
        updatedAt: body.updatedAt,
      });
    });

    test.each([
      [{ type: 'function' }, 'type: unknown field'],
      [{ name: 'x' }, 'name: unknown field'],
      [{ server: { url: null } }, 'server.url: must be a string'],
      [
        { function: { parameters: { required: ['zz'] } } },
        'function.parameters.required.0: names no property: zz',
      ],
    ])('%j is refused', async (patch, message) => {
      const before = await create();
      const url = `${PATH}/${before._id}`;
      expect(await ada.patch(url, patch)).toMatchObject({ status: 400, body: { message } });
      expect((await ada.get(url)).body).toEqual(before);
    });

    test('honours the entity tag', async () => {
      const { _id } = await create();
      const url = `${PATH}/${_id}`;
      const { etag } = (await ada.get(url)).headers;
      const ifMatch = { 'if-match': etag as string };
      expect((await ada.patch(url, { async: true }, ifMatch)).status).toBe(200);
      expect((await ada.patch(url, { async: false }, ifMatch)).status).toBe(412);
      expect((await ada.get(url)).body.async).toBe(true);
    });
  });

  test('another team finds nothing', async () => {
    const mine = await create();
    const url = `${PATH}/${mine._id}`;
    for (const answer of [
      await eve.get(url),
      await eve.patch(url, { async: true }),
      await eve.delete(url),
    ])
      expect(answer).toMatchObject(MISSING);
    expect((await ada.get(url)).body).toEqual(mine);
    const named = { name: 'Thief', assistantToolIds: [mine._id] };
    expect((await eve.post('/assistants/v1/assistants', named)).status).toBe(400);
  });

  test('a tool that an assistant uses cannot be deleted', async () => {
    const tool = await create();
    const assistants = '/assistants/v1/assistants';
    const { _id } = (await ada.post(assistants, { name: 'User', assistantToolIds: [tool._id] }))
      .body;
    expect(await ada.delete(`${PATH}/${tool._id}`)).toMatchObject({
      status: 409,
      body: { message: `The tool is in use by: User (${_id})` },
    });
    await ada.patch(`${assistants}/${_id}`, {
      assistantToolIds: [],
      assistantType: 'workflow_based',
      assistantWorkflow: {
        start: 'a',
        nodes: [{ id: 'a', end: true, toolIds: [tool._id] }],
      },
    });
    expect((await ada.delete(`${PATH}/${tool._id}`)).status).toBe(409);
    await ada.delete(`${assistants}/${_id}`);
    expect(await ada.delete(`${PATH}/${tool._id}`)).toMatchObject({
      status: 200,
      body: { id: tool._id },
    });
    expect(await ada.get(`${PATH}/${tool._id}`)).toMatchObject(MISSING);
  });

  test('what an assistant is about to name is not deleted under it', async () => {
    for (let round = 0; round < 10; round++) {
      const tool = await create();
      const [made, deleted] = await Promise.all([
        ada.post('/assistants/v1/assistants', { name: 'Racer', assistantToolIds: [tool._id] }),
        ada.delete(`${PATH}/${tool._id}`),
      ]);
      expect([made.status, deleted.status]).toSatisfy(
        ([m, d]) => (m === 201 && d === 409) || (m === 400 && d === 200),
      );
    }
  });
});
