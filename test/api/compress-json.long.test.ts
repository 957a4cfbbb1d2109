import { gunzipSync } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { insertManyCalls } from '../support/many-calls.ts';
import { withDatabase } from '../support/postgres.ts';

/** What a page of the console may load to show its content. */
const MOST_BYTES = 100_000;
const CALLS = '/calls/v1/conversations';
const ASSISTANTS = '/assistants/v1/assistants';

withDatabase('long answers', ({ db, newTeam }) => {
  let api: TestApi;
  let ada: TestClient;
  beforeAll(async () => {
    api = await startTestApi(db());
    ada = await api.client(await newTeam());
  });
  afterAll(() => api.close());

  const read = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    api.app.inject({ url, headers: { authorization: `Bearer ${ada.key}`, ...headers } });

  test('are compressed for whoever takes that, and the same otherwise', async () => {
    await insertManyCalls(db(), {
      ...{ teamId: ada.teamId, calls: 10_000, everyMs: 8000, lastAt: new Date() },
    });
    const url = `${CALLS}?size=25`;
    const plain = await read(url);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers.vary).toContain('accept-encoding');
    const packed = await read(url, { 'accept-encoding': 'br;q=0.5, gzip' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.payload);
    expect(Number(packed.headers['content-length'])).toBe(packed.rawPayload.length);
    for (const refused of ['identity', 'gzip;q=0', 'gzip;q=0.0, br', 'xgzip'])
      expect((await read(url, { 'accept-encoding': refused })).headers['content-encoding']).toBe(
        undefined,
      );
    // A short answer stays as it is.
    const short = await read(`${CALLS}?size=1`, { 'accept-encoding': 'gzip' });
    expect(short.headers['content-encoding']).toBeUndefined();
  });

  test.each([
    ['calls of a page', `${CALLS}?size=25`],
    ['the calls of the overview', `${CALLS}?size=5`],
    ['a hundred calls on the wall', `${CALLS}?size=100&order=asc`],
    ['the assistants of a page', `${ASSISTANTS}?limit=200`],
    ['all assistants', ASSISTANTS],
  ])('%s are at most 100 KB with 10,000 calls and 500 assistants', async (_what, url) => {
    const { body: first } = await ada.post(ASSISTANTS, {
      name: 'Desk',
      assistantSystemPrompt: 'You answer the telephone of a practice. '.repeat(60),
    });
    await db().execute(sql`insert into assistants
      select (jsonb_populate_record(a, jsonb_build_object('id', left(md5(${url} || i), 20)))).*
      from assistants a, generate_series(1, 500) as i where a.id = ${first._id}`);
    const answer = await read(url, { 'accept-encoding': 'gzip' });
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload.length).toBeLessThan(MOST_BYTES);
    await db().execute(sql`delete from assistants where team_id = ${ada.teamId}`);
  });
});
