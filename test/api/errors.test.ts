import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey, listApiKeys, revokeApiKey } from '../../src/store/api-keys.ts';
import { StoreUnavailableError } from '../../src/store/errors.ts';
import { createClient, startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const ASSISTANTS = '/assistants/v1/assistants';
const BASES = '/kb/v1/knowledge-bases';

withDatabase('errors', ({ db, newTeam }) => {
  let api: TestApi;
  let ada: TestClient;
  beforeAll(async () => {
    api = await startTestApi(db());
    ada = await api.client(await newTeam());
  });
  afterAll(() => api.close());

  describe('a credential', () => {
    test.each([
      ['missing', undefined],
      ['empty', ''],
      ['of another scheme', 'Basic abc'],
      ['without a key', 'Bearer '],
      ['with two keys', 'Bearer a b'],
      ['unknown', 'Bearer parley_unknown'],
      ['odd', 'Bearer \u00ff\u00fe'],
    ])('that is %s is refused', async (_, authorization) => {
      const headers = authorization === undefined ? {} : { authorization };
      for (const [url, body] of [
        [ASSISTANTS, { message: 'Unauthorized' }],
        [BASES, { detail: 'Unauthorized' }],
      ] as const) {
        const response = await api.app.inject({ url, headers });
        expect(response.statusCode).toBe(401);
        expect(response.json()).toEqual(body);
        expect(response.headers['www-authenticate']).toBe('Bearer');
      }
    });

    test('is refused from the moment it is revoked through this service', async () => {
      const teamId = await newTeam();
      const keep = await api.client(teamId);
      const { key, id } = (await keep.post('/auth/v1/api-keys', { name: 'Short' })).body;
      const short = createClient(api.app, { key, teamId });
      expect((await short.get(ASSISTANTS)).status).toBe(200);
      expect((await keep.delete(`/auth/v1/api-keys/${id}`)).body).toEqual({ id });
      expect((await short.get(ASSISTANTS)).status).toBe(401);
    });

    test('that another node revoked is refused at once', async () => {
      const teamId = await newTeam();
      const client = await api.client(teamId);
      await createApiKey(db(), { teamId, name: 'Kept' });
      expect((await client.get(ASSISTANTS)).status).toBe(200);
      const [, own] = await listApiKeys(db(), { teamId });
      await revokeApiKey(db(), { teamId, id: own?.id ?? '' });
      expect((await client.get(ASSISTANTS)).status).toBe(401);
    });

    test('is asked for before the body is read', async () => {
      const response = await api.app.inject({
        method: 'POST',
        url: ASSISTANTS,
        headers: { 'content-type': 'application/json' },
        payload: '{broken',
      });
      expect(response.statusCode).toBe(401);
    });
  });

  describe.each([
    ['assistants', ASSISTANTS, (message: string) => ({ message })],
    ['knowledge bases', BASES, (detail: string) => ({ detail })],
  ])('a body sent to %s', (_, url, shape) => {
    test.each(['{', '{"name": }', 'nul', '', "{'name': 1}", '\ufeff{}'])(
      'that is not JSON is malformed: %j',
      async (body) => {
        const answer = await ada.send('POST', url, { body });
        expect(answer.status).toBe(400);
        expect(answer.body).toEqual(
          shape(body === '' ? 'A JSON body is required' : 'The body is not valid JSON'),
        );
      },
    );

    test.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'x'])(
      'of type %s is refused',
      async (type) => {
        const answer = await ada.send('POST', url, {
          body: '{}',
          headers: { 'content-type': type },
        });
        expect(answer).toMatchObject({
          status: 415,
          body: shape('The content type must be application/json'),
        });
      },
    );

    test('that is too large is refused', async () => {
      const answer = await ada.post(url, { name: 'x'.repeat(1_048_576) });
      expect(answer).toMatchObject({ status: 413, body: shape('The body is too large') });
    });

    test('that is just small enough is read', async () => {
      const answer = await ada.post(url, { name: 'x'.repeat(1_048_576 - 20) });
      expect(answer.status).toBe(url === BASES ? 422 : 400);
    });
  });

  describe('JSON that cannot be kept', () => {
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    test.each([
      ['{"name":"a\\u0000b"}', 'name: must not hold a NUL character'],
      ['{"name":"\\ud800"}', 'name: must not hold half of a surrogate pair'],
      ['{"na\\u0000me":1}', 'a field name must not hold a NUL character'],
      ['{"__proto__":{"name":"x"}}', 'a field name must not be __proto__'],
      [
        '{"assistantTemperature":1e999}',
        'assistantTemperature: must be a number that fits in 64 bits',
      ],
    ])('%s is refused by name', async (body, message) => {
      expect(await ada.send('POST', ASSISTANTS, { body })).toMatchObject({
        status: 400,
        body: { message },
      });
      const kb = await ada.send('POST', BASES, { body });
      expect(kb.status).toBe(422);
      expect(kb.body.detail.errors).toHaveLength(1);
    });

    test.each([40, 1000, 19_000])('%i levels deep is refused', async (levels) => {
      const body = `{"name":"x","assistantAnalysis":${deep(levels)}}`;
      const answer = await ada.send('POST', ASSISTANTS, { body });
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain('must not be nested deeper than 32 levels');
    });

    test.each([
      ['in a list', { name: 'x', hints: Array(20_000).fill('y') }],
      ['as fields', Object.fromEntries(Array.from({ length: 20_001 }, (_, i) => [`k${i}`, 1]))],
      ['in pieces', { name: 'x', hints: Array(2001).fill([[], [], [], [], [], [], [], [], []]) }],
    ])('more than 20,000 values are refused before they are looked at: %s', async (_, body) => {
      expect(await ada.send('POST', ASSISTANTS, { body })).toMatchObject({
        status: 400,
        body: { message: 'must not hold more than 20000 values' },
      });
    });
  });

  test('a refusal names every field and why; /kb/v1 lists them', async () => {
    expect(await ada.post(ASSISTANTS, { idleTimeout: 4, nope: 1 })).toMatchObject({
      status: 400,
      body: { message: 'name: is required; idleTimeout: must be at least 5; nope: unknown field' },
    });
    expect(await ada.post(BASES, { description: 7, nope: 1 })).toMatchObject({
      status: 422,
      body: {
        detail: {
          message: 'Validation failed',
          errors: [
            { path: 'title', message: 'is required' },
            { path: 'description', message: 'must be a string' },
            { path: 'nope', message: 'unknown field' },
          ],
        },
      },
    });
  });

  test('an unknown address is missing, in the shape of its area', async () => {
    expect(await ada.get('/assistants/v1/nothing')).toMatchObject({
      status: 404,
      body: { message: 'Not found' },
    });
    expect(await ada.get('/kb/v1/nothing')).toMatchObject({
      status: 404,
      body: { detail: 'Not found' },
    });
  });

  test.each([
    ['%zz', 400, 'The address is not valid'],
    ['x'.repeat(1200), 404, 'Not found'],
  ])('an address the framework itself refuses is answered in shape', async (id, status, text) => {
    expect(await ada.get(`${ASSISTANTS}/${id}`)).toMatchObject({ status, body: { message: text } });
    const kb = await api.app.inject({ url: `${BASES}/${id}` });
    expect([kb.statusCode, kb.json()]).toEqual([status, { detail: text }]);
  });

  test('a failure says nothing of its cause, which the log has under the request id', async () => {
    const broken = new Proxy(db(), {
      get: (target, key) => {
        if (key === 'insert' || key === 'transaction') throw new Error('secret cause');
        return Reflect.get(target, key);
      },
    });
    const failing = await startTestApi(broken);
    const client = createClient(failing.app, ada);
    expect(await client.post(ASSISTANTS, { name: 'x' })).toMatchObject({
      status: 500,
      body: { message: 'Something went wrong!', error: 'INTERNAL_ERROR' },
    });
    expect(await client.post(BASES, { title: 'x' })).toMatchObject({
      status: 500,
      body: { detail: 'Something went wrong!' },
    });
    const [line] = failing.log.map((text) => JSON.parse(text));
    expect(line).toMatchObject({
      msg: 'request failed',
      operation: 'createAssistant',
      err: { message: 'secret cause' },
    });
    expect(line.reqId).toEqual(expect.any(String));
    await failing.close();
  });

  test('a store that is away is unavailable, not a failure', async () => {
    const away = new Proxy(db(), {
      get: (target, key) => {
        if (key === 'insert' || key === 'transaction') throw new StoreUnavailableError('gone');
        return Reflect.get(target, key);
      },
    });
    const failing = await startTestApi(away);
    const answer = await createClient(failing.app, ada).post(ASSISTANTS, { name: 'x' });
    expect(answer).toMatchObject({
      status: 503,
      body: { message: 'The store cannot be reached' },
    });
    expect(answer.headers['retry-after']).toBe('5');
    await failing.close();
  });
});
