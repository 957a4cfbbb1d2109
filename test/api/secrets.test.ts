import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0';
const HEADER = 'Bearer header-of-the-test';
const TOKEN = 'carrier-token-of-the-test';
const server = { url: 'https://tools.example', secret: SECRET, headers: { Authorization: HEADER } };

withDatabase('secrets sent to the API', ({ db, newTeam }) => {
  let api: TestApi;
  let ada: TestClient;
  beforeAll(async () => {
    api = await startTestApi(db());
    ada = await api.client(await newTeam());
  });
  afterAll(() => api.close());

  /** All rows of all tables, as someone who has stolen the database would read them. */
  const everything = async () => {
    const tables = await db().execute<{ name: string }>(
      sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    const texts = [];
    for (const { name } of tables.rows) {
      const { rows } = await db().execute(sql`select to_jsonb(t) from ${sql.identifier(name)} t`);
      texts.push(JSON.stringify(rows));
    }
    return texts.join('\n');
  };

  test('are in no row, no log line, no refusal and no remembered answer; reads of servers give them back', async () => {
    const once = (key: string) => ({ 'idempotency-key': key });
    const tool = { function: { name: 'book' }, server };
    const made = await ada.post('/assistants/v1/tools', tool, once('tool'));
    expect(made.body.server).toMatchObject(server);
    const again = await ada.post('/assistants/v1/tools', tool, once('tool'));
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toEqual(made.body);
    const url = `/assistants/v1/tools/${made.body._id}`;
    const renamed = await ada.patch(url, { function: { description: 'Books.' } });
    expect(renamed.body.server).toMatchObject(server);
    expect((await ada.get(url)).headers.etag).toBe(renamed.headers.etag);

    const assistant = { name: 'A', assistantServer: server, assistantToolIds: [made.body._id] };
    const { _id } = (await ada.post('/assistants/v1/assistants', assistant)).body;
    const read = await ada.get(`/assistants/v1/assistants/${_id}`);
    expect(read.body.assistantServer).toMatchObject(server);
    const call = { direction: 'inbound', assistantId: _id };
    const connected = await ada.post('/calls/v1/conversations/connect', call, once('call'));
    expect(connected.status).toBe(201);
    expect(connected.text).not.toContain(SECRET);

    const credentials = { accountSid: 'AC1', authToken: TOKEN };
    const number = { number: '+14155550177', credentials };
    const imported = await ada.post('/assistants/v1/numbers/twilio', number, once('number'));
    expect(imported.status).toBe(201);

    const refusals = [
      await ada.post('/assistants/v1/tools', { ...tool, nope: 1 }),
      await ada.post('/assistants/v1/tools', tool),
      await ada.post('/assistants/v1/tools', { ...tool, server: { ...server, url: 'ftp://x' } }),
      await ada.post('/assistants/v1/numbers/twilio', { ...number, number: 'nope' }),
      await ada.post('/assistants/v1/numbers/twilio', number),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([400, 409, 400, 400, 409]);
    const seen = [imported.text, ...refusals.map(({ text }) => text), ...api.log].join('\n');
    const kept = await everything();
    expect(kept).toContain('https://tools.example');
    for (const secret of [SECRET, HEADER, TOKEN]) {
      expect(kept).not.toContain(secret);
      expect(seen).not.toContain(secret);
    }
  });
});
