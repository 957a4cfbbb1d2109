import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiError } from '../../src/client/api-error.ts';
import { Client, type ClientOptions } from '../../src/client/client.ts';
import { createApiKey } from '../../src/store/api-keys.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A client whose service answers as scripted, one step a request. */
function scripted(steps: (Response | Error)[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const pauses: number[] = [];
  const client = new Client({
    baseUrl: 'http://service.test/',
    apiKey: 'k',
    fetch: async (url, init) => {
      sent.push({
        url,
        method: init.method ?? 'GET',
        headers: new Headers(init.headers),
        body: init.body,
      });
      const step = steps.shift();
      if (step === undefined) throw new Error('the script is over');
      if (step instanceof Error) throw step;
      return step;
    },
    wait: async (ms) => {
      pauses.push(ms);
    },
    ...options,
  });
  return { client, sent, pauses };
}

const ok = (body: unknown = {}) => Response.json(body);
const refusal = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });
const unreachable = () => new TypeError('fetch failed');

test('a request has its parts in their places', async () => {
  const { client, sent } = scripted([ok({ totalCount: 0, conversations: [] }), ok()]);
  await client.call('listCalls', { query: { size: 5, userNumber: '+47 1' } });
  await client.call('updateAssistant', {
    path: { id: 'a/b' },
    body: { name: 'New' },
    ifMatch: '"tag"',
    headers: { 'x-a': '1' },
  });
  expect(sent[0]?.url).toBe('http://service.test/calls/v1/conversations?size=5&userNumber=%2B47+1');
  expect(sent[0]?.headers.get('authorization')).toBe('Bearer k');
  expect(sent[1]).toMatchObject({
    url: 'http://service.test/assistants/v1/assistants/a%2Fb',
    method: 'PATCH',
    body: '{"name":"New"}',
  });
  expect(Object.fromEntries(sent[1]?.headers ?? [])).toMatchObject({
    'content-type': 'application/json',
    'if-match': '"tag"',
    'x-a': '1',
  });
});

test('a list is iterated, its pages fetched as they are needed', async () => {
  const link = { link: '</assistants/v1/assistants?limit=200&cursor=c%2F2>; rel="next"' };
  const first = Response.json([{ name: 'a' }, { name: 'b' }], { headers: link });
  const { client, sent } = scripted([first, ok([{ name: 'c' }])]);
  const list = client.list('listAssistants', { query: { fields: 'name' } });
  expect((await list.next()).value?.name).toBe('a');
  expect((await list.next()).value?.name).toBe('b');
  expect(sent.map(({ url }) => url)).toEqual([
    'http://service.test/assistants/v1/assistants?limit=200&fields=name',
  ]);
  expect((await list.next()).value?.name).toBe('c');
  expect(sent[1]?.url).toMatch(/\?limit=200&fields=name&cursor=c%2F2$/);
  expect((await list.next()).done).toBe(true);
});

test('calls that move to the next page while they are listed come once', async () => {
  const page = (from: number, to: number) => {
    const ids = Array.from({ length: from - to + 1 }, (_, i) => ({ id: `WC-${from - i}` }));
    return ok({ totalCount: 150, conversations: ids });
  };
  const { client, sent } = scripted([page(150, 51), page(51, 1)]);
  const ids: string[] = [];
  for await (const { id } of client.calls({ status: 'finished' })) ids.push(id);
  expect(ids).toEqual(Array.from({ length: 150 }, (_, i) => `WC-${150 - i}`));
  expect(sent[1]?.url).toMatch(/\?status=finished&page=2&size=100$/);
});

test('a refusal for programs has a code', async () => {
  const body = { message: 'The number is not called.', error: 'do-not-call' };
  const { client } = scripted([refusal(409, body), refusal(422, { detail: body })]);
  for (const status of [409, 422]) {
    const refused = client.call('getWho');
    await expect(refused).rejects.toMatchObject({
      ...{ status, code: 'do-not-call' },
      message: body.message,
    });
  }
});

describe('a request that may be repeated', () => {
  test('is, when the service is out of reach or busy, after longer and longer pauses', async () => {
    const { client, sent, pauses } = scripted([unreachable(), refusal(503, {}), ok([])]);
    expect(await client.call('listAssistants')).toEqual([]);
    expect(sent).toHaveLength(3);
    expect(pauses).toEqual([250, 500]);
  });

  test('waits as long as the service asks, up to a limit', async () => {
    const { client, pauses } = scripted([
      refusal(429, {}, { 'retry-after': '3' }),
      refusal(503, {}, { 'retry-after': '3600' }),
      ok([]),
    ]);
    await client.call('listAssistants');
    expect(pauses).toEqual([3000, 10_000]);
  });

  test('is given up after the last try', async () => {
    const { client, sent } = scripted([unreachable(), unreachable(), unreachable()]);
    await expect(client.call('listAssistants')).rejects.toThrow('fetch failed');
    expect(sent).toHaveLength(3);
  });

  test('may create something: each attempt carries the same idempotency key', async () => {
    const { client, sent } = scripted([
      unreachable(),
      refusal(409, { message: 'still at work' }, { 'retry-after': '1' }),
      ok(),
    ]);
    await client.call('createAssistant', { body: { name: 'A' } });
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys).size).toBe(1);
  });

  test('is not repeated when it is refused', async () => {
    const { client, sent } = scripted([refusal(409, { message: 'taken' })]);
    await expect(client.call('createAssistant', { body: { name: 'A' } })).rejects.toMatchObject({
      status: 409,
      message: 'taken',
    });
    expect(sent).toHaveLength(1);
  });
});

test('a change is never repeated by itself', async () => {
  const { client, sent } = scripted([unreachable()]);
  const change = { path: { id: 'a' }, body: { type: 'say', message: 'Hi' } } as const;
  await expect(client.call('controlCall', change)).rejects.toThrow('fetch failed');
  expect(sent).toHaveLength(1);
});

test('an abort ends it at once', async () => {
  const stop = new AbortController();
  const { client, sent } = scripted([unreachable(), ok()], {
    wait: async (_ms, signal) => {
      stop.abort();
      signal?.throwIfAborted();
    },
  });
  await expect(client.call('listAssistants', { signal: stop.signal })).rejects.toThrow('aborted');
  expect(sent).toHaveLength(1);
});

test.each([
  [{ message: 'Tool not found!' }, 'Tool not found!'],
  [{ detail: 'File not found' }, 'File not found'],
  [
    {
      detail: { message: 'Validation failed', errors: [{ path: 'title', message: 'is required' }] },
    },
    'title: is required',
  ],
  [{ detail: { message: 'detach first', attachedKnowledgeBases: [] } }, 'detach first'],
  ['<html>', 'the service answered 400'],
])('the error of %j says: %s', async (body, message) => {
  const headers = { 'x-request-id': 'r1', 'retry-after': '7' };
  const { client } = scripted([refusal(400, body, headers)]);
  const error = await client.call('listTools').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status: 400,
    message,
    body,
    requestId: 'r1',
    retryAfterSeconds: 7,
  });
});

withDatabase('the client', ({ db, newTeam }) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi(db());
    await api.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => api.close());

  test('goes through a whole life cycle over a real socket', async () => {
    const { key } = await createApiKey(db(), { teamId: await newTeam(), name: 'Client' });
    const address = api.app.server.address() as { port: number };
    const client = new Client({ baseUrl: `http://127.0.0.1:${address.port}`, apiKey: key });
    const base = await client.call('createKnowledgeBase', { body: { title: 'Museum' } });
    const path = { id: base.id };
    await client.call('addFaq', {
      path,
      body: { faq: [{ question: 'When do you open?', answer: 'At nine.' }] },
    });
    const { results } = await client.call('searchKnowledgeBase', {
      path,
      body: { query: 'when do you open' },
    });
    expect(results[0]?.text).toBe('At nine.');
    const assistant = await client.call('createAssistant', {
      body: {
        name: 'Guide',
        assistantPredefinedTools: { knowledgeBase: true },
        assistantKnowledgeBaseIds: [base.id],
      },
    });
    const got = await client.open('getAssistant', { path: { id: assistant._id } });
    const ifMatch = got.headers.get('etag') as string;
    const request = { path: { id: assistant._id }, body: { name: 'Guide 2' }, ifMatch };
    expect((await client.call('updateAssistant', request)).name).toBe('Guide 2');
    await expect(client.call('updateAssistant', request)).rejects.toMatchObject({ status: 412 });
    const call = await client.call('connectCall', {
      body: { direction: 'inbound', assistantId: assistant._id },
    });
    expect((await client.call('listCalls')).conversations[0]?.id).toBe(call.id);
    const transcript = { path: { id: call.id }, query: { format: 'text' } } as const;
    expect(await (await client.open('getCallTranscript', transcript)).text()).toBe('');
  });
});
