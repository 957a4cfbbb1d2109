import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient, startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const ASSISTANTS = '/assistants/v1/assistants';
const BASES = '/kb/v1/knowledge-bases';
const CONNECT = '/calls/v1/conversations/connect';

withDatabase('conventions', ({ db, newTeam }) => {
  let api: TestApi;
  let ada: TestClient;
  beforeAll(async () => {
    api = await startTestApi(db());
    ada = await api.client(await newTeam());
  });
  afterAll(() => api.close());

  describe('Idempotency-Key', () => {
    test.each([
      [ASSISTANTS, { name: 'Once' }],
      [BASES, { title: 'Once' }],
      [CONNECT, { direction: 'inbound', assistant: { name: 'Once' } }],
      ['/auth/v1/api-keys', { name: 'Once' }],
    ])('repeats the first answer: POST %s', async (url, body) => {
      const key = { 'idempotency-key': `key of ${url}` };
      const first = await ada.post(url, body, key);
      const second = await ada.post(url, body, key);
      expect(first.status).toBe(201);
      expect(first.headers).not.toHaveProperty('idempotency-replayed');
      expect(second).toMatchObject({ status: 201, body: first.body });
      expect(second.headers['idempotency-replayed']).toBe('true');
    });

    test('with another body or address is refused', async () => {
      const key = { 'idempotency-key': 'one' };
      await ada.post(ASSISTANTS, { name: 'First' }, key);
      expect(await ada.post(ASSISTANTS, { name: 'Other' }, key)).toMatchObject({
        status: 409,
        body: { message: 'The Idempotency-Key was used with another request' },
      });
      expect((await ada.post(BASES, { title: 'First' }, key)).status).toBe(409);
    });

    test('of another team is another key', async () => {
      const eve = await api.client(await newTeam());
      const key = { 'idempotency-key': 'shared' };
      const mine = await ada.post(ASSISTANTS, { name: 'A' }, key);
      const theirs = await eve.post(ASSISTANTS, { name: 'A' }, key);
      expect(theirs.status).toBe(201);
      expect(theirs.body._id).not.toBe(mine.body._id);
    });

    test('of a request that failed is free again', async () => {
      const key = { 'idempotency-key': 'retried' };
      const body = { direction: 'inbound', assistantId: 'nope' };
      expect((await ada.post(CONNECT, body, key)).status).toBe(404);
      expect((await ada.post(CONNECT, body, key)).status).toBe(404);
      const good = { direction: 'inbound', assistant: { name: 'A' } };
      expect((await ada.post(CONNECT, good, key)).status).toBe(201);
    });

    test('makes one thing however many requests come at once', async () => {
      const carl = await api.client(await newTeam());
      const answers = await Promise.all(
        Array.from({ length: 8 }, () =>
          carl.post(ASSISTANTS, { name: 'Racer' }, { 'idempotency-key': 'race' }),
        ),
      );
      expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
      expect(new Set(answers.flatMap(({ body }) => body._id ?? [])).size).toBe(1);
      expect((await carl.get(ASSISTANTS)).body).toHaveLength(1);
    });

    test('keeps no secret readable in the store', async () => {
      const key = { 'idempotency-key': 'sealed' };
      const { body } = await ada.post('/auth/v1/api-keys', { name: 'Sealed' }, key);
      const rows = await db().execute(sql`select * from idempotency_keys`);
      const kept = JSON.stringify(rows);
      expect(kept).toContain('response');
      expect(kept).not.toContain(body.key);
      expect(kept).not.toContain('"sealed"');
    });

    test('must have a length', async () => {
      const answer = await ada.post(
        ASSISTANTS,
        { name: 'A' },
        { 'idempotency-key': 'x'.repeat(256) },
      );
      expect(answer).toMatchObject({
        status: 400,
        body: { message: 'Idempotency-Key: must have 1 to 255 characters' },
      });
    });
  });

  describe.each([
    ['an assistant', ASSISTANTS, { name: 'A' }, 'PATCH', { name: 'B' }],
    ['a knowledge base', BASES, { title: 'A' }, 'PUT', { title: 'B' }],
  ])('the entity tag of %s', (_, path, body, method, change) => {
    const create = async () => {
      const made = (await ada.post(path, body)).body;
      const url = `${path}/${made._id ?? made.id}`;
      return { url, tag: (await ada.get(url)).headers.etag as string };
    };

    test('stands until it changes, and spares the body', async () => {
      const { url, tag } = await create();
      expect(tag).toMatch(/^"[\w-]{22}"$/);
      const same = await ada.get(url, { 'if-none-match': `"x", ${tag}` });
      expect([same.status, same.text]).toEqual([304, '']);
      const changed = await ada.send(method, url, { body: change, headers: { 'if-match': tag } });
      expect(changed.status).toBe(200);
      expect(changed.headers.etag).not.toBe(tag);
      const after = await ada.get(url, { 'if-none-match': tag });
      expect([after.status, after.headers.etag]).toEqual([200, changed.headers.etag]);
    });

    test('that is stale refuses the change, which then changes nothing', async () => {
      const { url, tag } = await create();
      await ada.send(method, url, { body: change });
      const before = (await ada.get(url)).body;
      for (const stale of [tag, '"x"', `W/${tag}`])
        expect((await ada.send(method, url, { body, headers: { 'if-match': stale } })).status).toBe(
          412,
        );
      expect((await ada.get(url)).body).toEqual(before);
      const any = await ada.send(method, url, { body, headers: { 'if-match': '*' } });
      expect(any.status).toBe(200);
    });

    test('lets one of many writers through', async () => {
      const { url, tag } = await create();
      const answers = await Promise.all(
        Array.from({ length: 6 }, () =>
          ada.send(method, url, { body: change, headers: { 'if-match': tag } }),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, 412, 412, 412, 412, 412]);
    });
  });

  test('a call has an entity tag too', async () => {
    const { body } = await ada.post(CONNECT, { direction: 'inbound', assistant: { name: 'A' } });
    const url = `/calls/v1/conversations/${body.id}`;
    const { headers } = await ada.get(url);
    expect((await ada.get(url, { 'if-none-match': headers.etag as string })).status).toBe(304);
  });

  test('a team that asks too often waits, and others do not', async () => {
    let nowMs = 1_000_000;
    const limited = await startTestApi(db(), {
      now: () => nowMs,
      limits: { rate: { perSecond: 2, burst: 3 } },
    });
    const carl = await limited.client(await newTeam());
    const statuses = async (client: TestClient, count: number) => {
      const answers = [];
      for (let i = 0; i < count; i++) answers.push((await client.get(ASSISTANTS)).status);
      return answers;
    };
    expect(await statuses(carl, 5)).toEqual([200, 200, 200, 429, 429]);
    const refused = await carl.get(BASES);
    expect(refused).toMatchObject({ status: 429, body: { detail: 'Too many requests' } });
    expect(refused.headers['retry-after']).toBe('1');
    expect(await statuses(createClient(limited.app, ada), 1)).toEqual([200]);
    nowMs += 1000;
    expect(await statuses(carl, 3)).toEqual([200, 200, 429]);
    await limited.close();
  });

  test('every answer names its request, and none allows another origin', async () => {
    for (const url of [ASSISTANTS, `${BASES}/nope`, '/openapi.json', '/nothing']) {
      const { headers } = await ada.get(url, { origin: 'https://elsewhere.example' });
      expect(headers['x-request-id']).toEqual(expect.any(String));
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    const preflight = await ada.send('OPTIONS', ASSISTANTS, {
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(404);
  });
});
