import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient, startTestApi, type TestApi } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const PATH = '/auth/v1/api-keys';

withDatabase('API keys', ({ db, newTeam }) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi(db());
  });
  afterAll(() => api.close());

  test('a key is shown when it is made and never again', async () => {
    const ada = await api.client(await newTeam());
    const { status, body } = await ada.post(PATH, { name: 'CI' });
    expect(status).toBe(201);
    expect(body.key).toMatch(/^parley_[\w-]{43}$/);
    expect(body.key.startsWith(body.prefix)).toBe(true);
    const { key, ...shown } = body;
    const list = await ada.get(PATH);
    expect(list.body[0]).toEqual(shown);
    expect(list.text).not.toContain(key);
    expect((await createClient(api.app, { key, teamId: ada.teamId }).get(PATH)).status).toBe(200);
  });

  test('the list is newest first, without revoked keys, and can be paged', async () => {
    const ada = await api.client(await newTeam());
    for (const name of ['a', 'b', 'c']) await ada.post(PATH, { name });
    const names = async (url: string) =>
      (await ada.get(url)).body.map(({ name }: { name: string }) => name);
    expect(await names(PATH)).toEqual(['c', 'b', 'a', 'Test']);
    const [, b] = (await ada.get(PATH)).body;
    await ada.delete(`${PATH}/${b.id}`);
    expect(await names(PATH)).toEqual(['c', 'a', 'Test']);
    const page = await ada.get(`${PATH}?limit=2`);
    expect(page.body).toHaveLength(2);
    const next = /^<([^>]+)>/.exec(page.headers.link ?? '')?.[1] as string;
    expect(await names(next)).toEqual(['Test']);
  });

  test("another team's key is missing, and goes on working", async () => {
    const [ada, eve] = [await api.client(await newTeam()), await api.client(await newTeam())];
    const { id } = (await ada.get(PATH)).body[0];
    expect(await eve.delete(`${PATH}/${id}`)).toMatchObject({
      status: 404,
      body: { message: 'API key not found!' },
    });
    expect((await ada.get(PATH)).status).toBe(200);
  });

  test.each([[{}], [{ name: '' }], [{ name: 'a', key: 'mine' }], [{ name: 7 }]])(
    '%j is refused',
    async (body) => {
      const ada = await api.client(await newTeam());
      expect((await ada.post(PATH, body)).status).toBe(400);
    },
  );
});
