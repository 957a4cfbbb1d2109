import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_VERSIONS } from '../../src/contract/assistant-version.ts';
import { createApiKey } from '../../src/store/api-keys.ts';
import { getCall } from '../../src/store/calls.ts';
import { createNumber } from '../../src/store/numbers.ts';
import { createClient, startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const ASSISTANTS = '/assistants/v1/assistants';
const CONNECT = '/calls/v1/conversations/connect';
const SERVER = { enabled: true, url: 'https://hooks.example', secret: 'secret-of-the-server' };

withDatabase('versions of an assistant', ({ db, newTeam }) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi(db(), { limits: { rate: { perSecond: 1e6, burst: 1e6 } } });
  });
  afterAll(() => api.close());

  /** An assistant with this welcome, and its client. */
  async function start(fields: object = {}) {
    const client = await api.client(await newTeam());
    const { body } = await client.post(ASSISTANTS, { name: 'A', welcomeMessage: 'One', ...fields });
    const url = `${ASSISTANTS}/${body._id}`;
    return { client, id: body._id as string, url, versions: `${url}/versions` };
  }
  const welcomeOfCall = async (client: TestClient, connect: object) => {
    const { body, status, text } = await client.post(CONNECT, { direction: 'inbound', ...connect });
    expect(status, text).toBe(201);
    const { snapshot } = await getCall(db(), { teamId: client.teamId, id: body.id });
    return { welcome: snapshot.assistant.welcomeMessage, version: body.assistantVersion };
  };

  test('each save is one, with its author, and the first is that of the creation', async () => {
    const { client, id, url, versions } = await start();
    await client.patch(url, { welcomeMessage: 'Two' });
    const { body } = await client.get(versions);
    const author = { type: 'api-key', id: expect.any(String), name: 'Test' };
    expect(body).toEqual([
      expect.objectContaining({ assistantId: id, version: 2, published: true, author }),
      expect.objectContaining({ assistantId: id, version: 1, published: false, author }),
    ]);
    expect(body[0]).toMatchObject({ note: '', labels: [] });
    const first = await client.get(`${versions}/1`);
    expect(first.body.assistant.welcomeMessage).toBe('One');
  });

  test('come in pages', async () => {
    const { client, url, versions } = await start();
    for (const welcomeMessage of ['Two', 'Three']) await client.patch(url, { welcomeMessage });
    const page = await client.get(`${versions}?limit=2`);
    expect(page.body.map(({ version }: { version: number }) => version)).toEqual([3, 2]);
    const next = /^<([^>]+)>/.exec(page.headers.link ?? '')?.[1] as string;
    expect((await client.get(next)).body).toMatchObject([{ version: 1 }]);
  });

  test('a draft is not what calls use until it is published', async () => {
    const { client, id, url, versions } = await start();
    const drafted = await client.post(versions, {
      changes: { welcomeMessage: 'Draft' },
      note: 'Friendlier',
    });
    expect(drafted.body).toMatchObject({ version: 2, published: false, note: 'Friendlier' });
    expect((await client.get(url)).body.welcomeMessage).toBe('One');
    expect(await welcomeOfCall(client, { assistantId: id })).toEqual({
      welcome: 'One',
      version: 1,
    });
    const named = { assistantId: id, assistantVersion: '2' };
    expect(await welcomeOfCall(client, named)).toEqual({ welcome: 'Draft', version: 2 });

    const before = (await client.get(url)).headers.etag;
    const published = await client.post(`${versions}/2/publish`);
    expect(published.body.welcomeMessage).toBe('Draft');
    const read = await client.get(url);
    expect(read.body.welcomeMessage).toBe('Draft');
    expect(read.headers.etag).not.toBe(before);
    expect(await welcomeOfCall(client, { assistantId: id })).toEqual({
      welcome: 'Draft',
      version: 2,
    });
  });

  test('a draft can change another draft, and is checked like any assistant', async () => {
    const { client, versions } = await start();
    await client.post(versions, { changes: { welcomeMessage: 'Draft' } });
    await client.post(versions, { from: '2', changes: { name: 'B' } });
    const { body } = await client.get(`${versions}/3`);
    expect(body.assistant).toMatchObject({ name: 'B', welcomeMessage: 'Draft' });
    const refused = await client.post(versions, { changes: { idleTimeout: 1 } });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('changes.idleTimeout'),
    ]);
    expect((await client.post(versions, { from: '9', changes: {} })).status).toBe(404);
  });

  test('an earlier one is restored by publishing it, and the next save is the next number', async () => {
    const { client, url, versions } = await start();
    await client.patch(url, { welcomeMessage: 'Two' });
    await client.post(`${versions}/1/publish`);
    expect((await client.get(url)).body.welcomeMessage).toBe('One');
    await client.patch(url, { welcomeMessage: 'Three' });
    const { body } = await client.get(versions);
    expect(body.map((one: { version: number }) => one.version)).toEqual([3, 2, 1]);
    expect(body[0].published).toBe(true);
  });

  test('one that refers to a tool that is gone cannot be restored', async () => {
    const { client, url, versions } = await start();
    const server = { url: 'https://tools.example' };
    const tool = await client.post('/assistants/v1/tools', { function: { name: 'book' }, server });
    await client.patch(url, { assistantToolIds: [tool.body._id] });
    await client.patch(url, { assistantToolIds: [] });
    await client.delete(`/assistants/v1/tools/${tool.body._id}`);
    expect((await client.post(`${versions}/2/publish`)).status).toBe(400);
  });

  test('say what they have changed, field by field, without secrets', async () => {
    const { client, url, versions } = await start({ assistantServer: SERVER });
    await client.patch(url, {
      welcomeMessage: 'Two',
      hints: ['Ada'],
      assistantServer: { secret: 'another-secret-of-it' },
    });
    const { body } = await client.get(`${versions}/2/changes`);
    expect(body).toEqual([
      { path: 'welcomeMessage', before: 'One', after: 'Two' },
      { path: 'hints.0', after: 'Ada' },
    ]);
    const back = await client.get(`${versions}/1/changes?from=2`);
    expect(back.body).toContainEqual({ path: 'hints.0', before: 'Ada' });
    expect((await client.get(`${versions}/1/changes`)).body).toEqual([]);
    expect((await client.get(`${versions}/1/changes?from=9`)).status).toBe(404);
  });

  describe('labels', () => {
    test('name a version for calls, and move', async () => {
      const { client, id, url, versions } = await start();
      const label = `${url}/labels/production`;
      expect((await client.put(label, { version: 1 })).body).toMatchObject({
        version: 1,
        labels: ['production'],
      });
      await client.patch(url, { welcomeMessage: 'Two' });
      const named = { assistantId: id, assistantVersion: 'production' };
      expect(await welcomeOfCall(client, named)).toEqual({ welcome: 'One', version: 1 });
      expect((await client.get(`${versions}/production`)).body.version).toBe(1);
      await client.put(label, { version: 2 });
      expect(await welcomeOfCall(client, named)).toEqual({ welcome: 'Two', version: 2 });
      expect((await client.get(`${versions}/1`)).body.labels).toEqual([]);
      expect((await client.delete(label)).body).toMatchObject({ version: 2, labels: [] });
      expect((await client.delete(label)).status).toBe(404);
      const { status } = await client.post(CONNECT, { direction: 'inbound', ...named });
      expect(status).toBe(404);
    });

    test.each(['Production', '1st', 'with space', 'x'.repeat(41)])('%j is none', async (label) => {
      const { client, url } = await start();
      const at = `${url}/labels/${encodeURIComponent(label)}`;
      expect((await client.put(at, { version: 1 })).status).toBe(400);
    });

    test('cannot be given to a version that there is not', async () => {
      const { client, url } = await start();
      expect((await client.put(`${url}/labels/production`, { version: 2 })).status).toBe(404);
      expect((await client.put(`${url}/labels/production`, { version: 0 })).status).toBe(400);
    });

    test('stay while a number names them', async () => {
      const { client, id, url } = await start();
      const number = await createNumber(db(), {
        teamId: client.teamId,
        number: '+15005550231',
        provider: 'emulator',
        label: '',
      });
      const at = `/assistants/v1/numbers/${number.id}`;
      await client.put(`${url}/labels/production`, { version: 1 });
      const wrong = { assistantId: id, assistantVersion: 'staging' };
      expect((await client.put(at, wrong)).status).toBe(400);
      const set = await client.put(at, { assistantId: id, assistantVersion: 'production' });
      expect(set.body).toMatchObject({ assistantId: id, assistantVersion: 'production' });
      const refused = await client.delete(`${url}/labels/production`);
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('in use')]);
      // Another assistant has other versions: the published one answers.
      const other = await client.post(ASSISTANTS, { name: 'B' });
      const moved = await client.put(at, { assistantId: other.body._id });
      expect(moved.body.assistantVersion).toBeUndefined();
      expect((await client.delete(`${url}/labels/production`)).status).toBe(200);
      expect((await client.put(at, { assistantVersion: '7' })).status).toBe(400);
      await client.put(at, { assistantId: '' });
      expect((await client.put(at, { assistantVersion: '1' })).status).toBe(400);
    });
  });

  test('belong to the team, and viewers do not see the secrets in them', async () => {
    const { client, url, versions } = await start({ assistantServer: SERVER });
    const other = await api.client(await newTeam());
    for (const path of [versions, `${versions}/1`, `${versions}/1/changes`])
      expect((await other.get(path)).status).toBe(404);
    expect((await other.post(versions, { changes: {} })).status).toBe(404);
    expect((await other.post(`${versions}/1/publish`)).status).toBe(404);
    expect((await other.put(`${url}/labels/production`, { version: 1 })).status).toBe(404);
    const { key } = await createApiKey(db(), {
      ...{ teamId: client.teamId, name: 'V', role: 'viewer' as const },
    });
    const viewer = createClient(api.app, { key, teamId: client.teamId });
    expect((await client.get(`${versions}/1`)).text).toContain(SERVER.secret);
    expect((await viewer.get(`${versions}/1`)).text).not.toContain(SERVER.secret);
    const { rows } = await db().execute(sql`select config::text from assistant_versions`);
    expect(JSON.stringify(rows)).not.toContain(SERVER.secret);
  });

  test('beyond the last are forgotten, but for those that somebody names', async () => {
    const { client, url, versions } = await start();
    await client.put(`${url}/labels/first`, { version: 1 });
    for (let i = 0; i < MAX_VERSIONS + 3; i++)
      await client.patch(url, { welcomeMessage: String(i) });
    const { body } = await client.get(versions);
    expect(body).toHaveLength(MAX_VERSIONS + 1);
    expect(body.at(-1)).toMatchObject({ version: 1, labels: ['first'] });
    expect((await client.get(`${versions}/2`)).status).toBe(404);
  });

  test('an inline assistant has none', async () => {
    const { client } = await start();
    const connect = { direction: 'inbound', assistant: { name: 'I' }, assistantVersion: '1' };
    const refused = await client.post(CONNECT, connect);
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('assistantVersion'),
    ]);
  });
});
