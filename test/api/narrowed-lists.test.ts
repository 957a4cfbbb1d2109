import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNumber } from '../../src/store/numbers.ts';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { insertManyCalls } from '../support/many-calls.ts';
import { withDatabases } from '../support/postgres.ts';

const ASSISTANTS = '/assistants/v1/assistants';
const TOOLS = '/assistants/v1/tools';
const NUMBERS = '/assistants/v1/numbers';
const BASES = '/kb/v1/knowledge-bases';

withDatabases('lists are narrowed where they are stored', ({ db, newTeam }) => {
  let api: TestApi;
  let ada: TestClient;
  let eve: TestClient;
  beforeAll(async () => {
    api = await startTestApi(db());
    ada = await api.client(await newTeam());
    eve = await api.client(await newTeam());
  });
  afterAll(() => api.close());

  const make = async (path: string, body: object) => {
    const made = await ada.post(path, body);
    expect(made.status, made.text).toBe(201);
    return made.body;
  };
  const names = async (url: string, client = ada) => {
    const { body } = await client.get(url);
    const items: readonly Record<string, string>[] = Array.isArray(body)
      ? body
      : body.knowledge_bases;
    return items.map(({ name, title, number, function: fn }) =>
      fn ? (fn as unknown as { name: string }).name : (name ?? title ?? number),
    );
  };

  describe('assistants', () => {
    let desk: { readonly _id: string };
    let night: { readonly _id: string };
    let tool: { readonly _id: string };
    let base: { readonly id: string };
    beforeAll(async () => {
      tool = await make(TOOLS, {
        function: { name: 'bookTable', description: 'Books 100% of tables' },
        server: { url: 'https://umbrella.example/hook' },
      });
      await make(TOOLS, { function: { name: 'other' }, server: { url: 'https://a.example' } });
      base = await make(BASES, { title: 'Opening hours', description: 'When it is open' });
      await make(BASES, { title: 'Prices' });
      desk = await make(ASSISTANTS, {
        name: 'Front Desk',
        assistantSystemPrompt: 'You sell Umbrellas.',
        assistantToolIds: [tool._id],
        assistantPredefinedTools: { knowledgeBase: true },
        assistantKnowledgeBaseIds: [base.id],
      });
      night = await make(ASSISTANTS, {
        name: 'Night desk',
        assistantType: 'workflow_based',
        assistantWorkflow: {
          start: 'a',
          nodes: [{ id: 'a', prompt: 'Say hello.', toolIds: [tool._id], end: true }],
          edges: [],
        },
      });
    });

    test.each([
      ['desk', ['Night desk', 'Front Desk']],
      ['FRONT  umbrellas', ['Front Desk']],
      ['front night', []],
      ['enabled', []],
      ['%', []],
      ['offline night', ['Night desk']],
    ])('a search for %j finds %j: every word has to occur', async (search, found) => {
      expect(await names(`${ASSISTANTS}?search=${encodeURIComponent(search)}`)).toEqual(found);
    });

    test('searches page on: each page begins after the last one found', async () => {
      const first = await ada.get(`${ASSISTANTS}?search=desk&limit=1&fields=name`);
      expect(first.body).toEqual([{ _id: night._id, name: 'Night desk' }]);
      const next = first.headers.link?.match(/<([^>]+)>/)?.[1] as string;
      const second = await ada.get(next);
      expect(second.body).toEqual([{ _id: desk._id, name: 'Front Desk' }]);
      expect(second.headers.link).toBeUndefined();
    });

    test('ids name those that are wanted, and never those of another team', async () => {
      const url = `${ASSISTANTS}?ids=${desk._id},nobody&fields=name`;
      expect(await names(url)).toEqual(['Front Desk']);
      expect(await names(url, eve)).toEqual([]);
      expect((await ada.get(`${ASSISTANTS}?ids=${'x,'.repeat(100)}x`)).status).toBe(400);
    });

    test('those that use a tool or a knowledge base are found, in a workflow too', async () => {
      expect(await names(`${ASSISTANTS}?toolId=${tool._id}`)).toEqual(['Night desk', 'Front Desk']);
      expect(await names(`${ASSISTANTS}?knowledgeBaseId=${base.id}`)).toEqual(['Front Desk']);
    });

    test('a changed assistant is found by its new words at once', async () => {
      expect(await names(`${ASSISTANTS}?search=parasol`)).toEqual([]);
      await ada.patch(`${ASSISTANTS}/${night._id}`, { welcomeMessage: 'A parasol?' });
      expect(await names(`${ASSISTANTS}?search=parasol`)).toEqual(['Night desk']);
    });

    test('tools and knowledge bases are searched, and who uses each is counted', async () => {
      expect(await names(`${TOOLS}?search=UMBRELLA%20100%25`)).toEqual(['bookTable']);
      expect(await names(`${TOOLS}?ids=${tool._id}`)).toEqual(['bookTable']);
      expect(await names(`${BASES}?search=open`)).toEqual(['Opening hours']);
      const uses = { assistants: 2, firstAssistant: { _id: desk._id, name: 'Front Desk' } };
      expect((await ada.get(`${TOOLS}/uses?ids=none,${tool._id}`)).body).toEqual([
        { id: 'none', assistants: 0 },
        { id: tool._id, ...uses },
      ]);
      expect((await ada.get(`${BASES}/uses?ids=${base.id}`)).body).toEqual([
        { ...uses, id: base.id, assistants: 1 },
      ]);
      expect((await eve.get(`${TOOLS}/uses?ids=${tool._id}`)).body).toEqual([
        { id: tool._id, assistants: 0 },
      ]);
    });

    test('calls and numbers of assistants are counted in one answer', async () => {
      const line = { teamId: ada.teamId, provider: 'emulator', label: '' } as const;
      for (const end of [1, 2]) {
        const { id } = await createNumber(db(), { ...line, number: `+1415555010${end}` });
        await ada.put(`${NUMBERS}/${id}`, { assistantId: desk._id });
      }
      await createNumber(db(), { ...line, number: '+14155550103' });
      await insertManyCalls(db(), {
        ...{ teamId: ada.teamId, calls: 3, everyMs: 1000, lastAt: new Date() },
        assistantIds: [desk._id],
      });
      const url = `${ASSISTANTS}/uses?ids=${night._id},${desk._id}`;
      expect((await ada.get(url)).body).toEqual([
        { _id: night._id, calls: 0, numbers: 0 },
        {
          ...{ _id: desk._id, calls: 3, numbers: 2 },
          firstNumber: { _id: expect.any(String), number: '+14155550101' },
        },
      ]);
      expect((await eve.get(url)).body[1]).toEqual({ _id: desk._id, calls: 0, numbers: 0 });
      expect(await names(`${NUMBERS}?assistantId=${desk._id}`)).toHaveLength(2);
      expect(await names(`${NUMBERS}?search=front%200102`)).toEqual(['+14155550102']);
    });
  });

  test.each([
    ['/assistants/v1/calendars', { name: 'Room' }],
    ['/assistants/v1/wait-lists', { name: 'Queue' }],
    ['/auth/v1/api-keys', { name: 'Program' }],
  ])('%s is searched by name', async (path, { name }) => {
    // Words that are longer than what is shown of a key, which is searched, too.
    for (const n of ['morning', 'evening']) await make(path, { name: `${name} ${n}` });
    const evening = `${path}?search=${name.toUpperCase()}%20evening`;
    expect(await names(evening)).toEqual([`${name} evening`]);
    expect(await names(`${path}?search=${name}`)).toEqual([`${name} evening`, `${name} morning`]);
  });

  test('API keys that were revoked are on no page', async () => {
    const { id } = await make('/auth/v1/api-keys', { name: 'Gone soon' });
    await ada.delete(`/auth/v1/api-keys/${id}`);
    expect(await names('/auth/v1/api-keys?search=gone')).toEqual([]);
  });

  test('appointments and entries of a wait list come page by page, in their order', async () => {
    const { _id: calendar } = await make('/assistants/v1/calendars', {
      ...{ name: 'Two at once', capacity: 2, leadMinutes: 0 },
    });
    const { body: slots } = await ada.get(`/assistants/v1/calendars/${calendar}/slots`);
    const booked = [slots[1], slots[0], slots[0]];
    for (const [n, { startAt }] of booked.entries())
      await make(`/assistants/v1/calendars/${calendar}/appointments`, { startAt, name: `P${n}` });
    const { _id: list } = await make('/assistants/v1/wait-lists', { name: 'Three' });
    for (const name of ['A', 'B', 'C'])
      await make(`/assistants/v1/wait-lists/${list}/entries`, { name });

    const pages = async (first: string) => {
      const found: unknown[][] = [];
      for (let url: string | undefined = first; url; ) {
        const { body, headers } = await ada.get(url);
        found.push(body.map((one: { name: string; position?: number }) => one));
        url = headers.link?.match(/<([^>]+)>/)?.[1];
      }
      return found;
    };
    const appointments = await pages(`/assistants/v1/calendars/${calendar}/appointments?limit=2`);
    expect(appointments).toMatchObject([[{ name: 'P1' }, { name: 'P2' }], [{ name: 'P0' }]]);
    const entries = await pages(`/assistants/v1/wait-lists/${list}/entries?limit=2`);
    expect(entries).toMatchObject([
      [
        { name: 'A', position: 1 },
        { name: 'B', position: 2 },
      ],
      [{ name: 'C', position: 3 }],
    ]);
  });
});
