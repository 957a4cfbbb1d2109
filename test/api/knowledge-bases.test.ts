import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ComputeError } from '../../src/lib/compute-pool.ts';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const PATH = '/kb/v1/knowledge-bases';
const MISSING = { status: 404, body: { detail: 'Knowledge base not found' } };

withDatabase('knowledge bases', ({ db, newTeam }) => {
  let api: TestApi;
  let ada: TestClient;
  let eve: TestClient;
  beforeAll(async () => {
    api = await startTestApi(db());
    ada = await api.client(await newTeam());
    eve = await api.client(await newTeam());
  });
  afterAll(() => api.close());

  const create = async (fields: object = {}) =>
    (await ada.post(PATH, { title: 'Museum', ...fields })).body;
  const docs = [
    {
      type: 'url',
      payload: {
        urls_to_include: [{ url: 'https://m.example', subpaths_only: true, recursive: false }],
        urls_to_exclude: [],
      },
    },
  ];

  test.each([
    ['has no room', new ComputeError('busy', 'too much waits'), 503],
    ['takes too long', new DOMException('late', 'TimeoutError'), 503],
    ['has a fault', new Error('a fault'), 500],
  ])('a search that %s is answered with what it is', async (_, error, status) => {
    const knowledge = {
      search: () => Promise.reject(error),
      findUnanswered: () => Promise.reject(error),
    };
    const failing = await startTestApi(db(), { knowledge });
    try {
      const client = await failing.client(await newTeam());
      const { body } = await client.post(PATH, { title: 'Museum' });
      const answer = await client.post(`${PATH}/${body.id}/search`, { query: 'hours' });
      expect(answer.status).toBe(status);
    } finally {
      await failing.close();
    }
  });

  test('a title is enough: 201, a draft', async () => {
    const { status, body } = await ada.post(PATH, { title: 'Museum' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      title: 'Museum',
      description: '',
      status: 'draft',
      files: [],
      docs: [],
      retrain_frequency_minutes: 0,
    });
    expect((await ada.get(`${PATH}/${body.id}`)).body).toEqual(body);
    expect((await ada.get(`${PATH}/${body.id}/status`)).body).toEqual({
      id: body.id,
      title: 'Museum',
      description: '',
      status: 'draft',
    });
  });

  test('with content it is queued for training', async () => {
    expect(await create({ docs })).toMatchObject({ status: 'queued', docs });
  });

  test('PUT replaces it, and new content queues it', async () => {
    const { id } = await create({ description: 'Old', retrain_frequency_minutes: 60 });
    const renamed = await ada.put(`${PATH}/${id}`, { title: 'New' });
    expect(renamed.body).toMatchObject({
      title: 'New',
      description: 'Old',
      retrain_frequency_minutes: 60,
      status: 'draft',
    });
    const emptied = await ada.put(`${PATH}/${id}`, { title: 'New', description: '' });
    expect(emptied.body).toMatchObject({ description: '', retrain_frequency_minutes: 60 });
    expect((await ada.put(`${PATH}/${id}`, { title: 'New', docs })).body).toMatchObject({
      status: 'queued',
    });
    expect((await ada.post(`${PATH}/${id}/train`)).body).toMatchObject({ status: 'queued' });
  });

  test.each([
    [{}, 'title', 'is required'],
    [{ title: ' ' }, 'title', 'must not be blank'],
    [
      { title: 'x', retrain_frequency_minutes: 61 },
      'retrain_frequency_minutes',
      'must be 0 or a multiple of 60',
    ],
    [{ title: 'x', files: [{ id: 'nope' }] }, 'files.0.id', 'there is no such file: nope'],
    [{ title: 'x', docs: [{ type: 'pdf' }] }, 'docs.0.type', 'must be url'],
    [{ title: 'x', nme: 1 }, 'nme', 'unknown field'],
  ])('%j is refused', async (body, path, message) => {
    const answer = await ada.post(PATH, body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail.errors).toContainEqual({ path, message });
  });

  test('the list is newest first and the team’s own', async () => {
    const carl = await api.client(await newTeam());
    for (const title of ['a', 'b', 'c']) await carl.post(PATH, { title });
    const { body } = await carl.get(PATH);
    expect(body.knowledge_bases.map(({ title }: { title: string }) => title)).toEqual([
      'c',
      'b',
      'a',
    ]);
    const page = await carl.get(`${PATH}?limit=2`);
    expect(page.body.knowledge_bases).toHaveLength(2);
    expect(page.headers.link).toMatch(
      /^<\/kb\/v1\/knowledge-bases\?limit=2&cursor=.+>; rel="next"$/,
    );
  });

  test('DELETE is accepted, and assistants no longer consult it', async () => {
    const [gone, kept] = [await create(), await create()];
    const assistant = (
      await ada.post('/assistants/v1/assistants', {
        name: 'Guide',
        assistantPredefinedTools: { knowledgeBase: true },
        assistantKnowledgeBaseIds: [gone.id, kept.id],
      })
    ).body;
    const answer = await ada.delete(`${PATH}/${gone.id}`);
    expect(answer).toMatchObject({
      status: 200,
      body: { message: 'Knowledge base deletion accepted' },
    });
    expect(await ada.get(`${PATH}/${gone.id}`)).toMatchObject(MISSING);
    expect(await ada.delete(`${PATH}/${gone.id}`)).toMatchObject(MISSING);
    const { body } = await ada.get(`/assistants/v1/assistants/${assistant._id}`);
    expect(body.assistantKnowledgeBaseIds).toEqual([kept.id]);
  });

  test('another team finds nothing to read or change', async () => {
    const { id } = await create();
    const { faq } = (
      await ada.post(`${PATH}/${id}/faq-template`, { faq: [{ question: 'q', answer: 'a' }] })
    ).body;
    const url = `${PATH}/${id}`;
    for (const answer of [
      await eve.get(url),
      await eve.put(url, { title: 'x' }),
      await eve.delete(url),
      await eve.get(`${url}/status`),
      await eve.post(`${url}/train`),
      await eve.get(`${url}/faq-template`),
      await eve.post(`${url}/faq-template`, { faq: [{ question: 'q', answer: 'a' }] }),
      await eve.put(`${url}/faq-template`, { faq: [{ id: faq[0].id, answer: 'b' }] }),
      await eve.delete(`${url}/faq-template/${faq[0].id}`),
    ])
      expect(answer).toMatchObject(MISSING);
    expect((await ada.get(`${url}/faq-template`)).body).toEqual({ faq });
  });

  test('a search answers from the FAQ of that base alone, best first', async () => {
    const [museum, zoo] = [await create(), await create()];
    for (const [base, answer] of [
      [museum, 'At nine.'],
      [zoo, 'At ten.'],
    ] as const)
      await ada.post(`${PATH}/${base.id}/faq-template`, {
        faq: [
          { question: 'What does a ticket cost?', answer: 'Nothing.' },
          { question: 'When do you open in the morning?', answer },
        ],
      });
    const search = (body: object) => ada.post(`${PATH}/${museum.id}/search`, body);
    const { status, body } = await search({ query: 'when do you open' });
    expect(status).toBe(200);
    expect(body.results[0]).toMatchObject({
      text: 'At nine.',
      source: { type: 'faq', title: 'When do you open in the morning?' },
    });
    expect(body.results.map(({ text }: { text: string }) => text)).not.toContain('At ten.');
    expect((await search({ query: 'ticket open', limit: 1 })).body.results).toHaveLength(1);
    expect((await search({ query: 'zebra' })).body).toEqual({ results: [] });
    expect((await search({ query: ' ' })).status).toBe(422);
    expect((await search({ query: 'x', limit: 51 })).status).toBe(422);
    expect(await eve.post(`${PATH}/${museum.id}/search`, { query: 'open' })).toMatchObject(MISSING);
  });

  test.each(['constructor', "一'A", "'", '__proto__', '🙂', 'a & !b | (c):*'])(
    'odd text is kept and searched for: %s',
    async (odd) => {
      const { id } = await create();
      const faq = [{ question: odd, answer: odd, category: odd }];
      expect((await ada.post(`${PATH}/${id}/faq-template`, { faq })).status).toBe(200);
      expect((await ada.post(`${PATH}/${id}/search`, { query: odd })).status).toBe(200);
    },
  );

  describe('FAQ entries', () => {
    const add = async (...entries: object[]) => {
      const { id } = await create();
      const url = `${PATH}/${id}/faq-template`;
      const { body } = await ada.post(url, { faq: entries });
      return { url, faq: body.faq as { id: string }[] };
    };

    test('get ids and defaults, keep their order, and queue the base', async () => {
      const { id } = await create();
      const url = `${PATH}/${id}/faq-template`;
      const { status, body } = await ada.post(url, {
        faq: [
          { question: 'Open?', answer: 'At nine.', category: 'visit', updatable: false },
          { question: 'Price?', answer: 'Free.' },
        ],
      });
      expect(status).toBe(200);
      expect(body.faq).toEqual([
        {
          id: expect.any(String),
          question: 'Open?',
          answer: 'At nine.',
          category: 'visit',
          updatable: false,
        },
        {
          id: expect.any(String),
          question: 'Price?',
          answer: 'Free.',
          category: '',
          updatable: true,
        },
      ]);
      expect((await ada.get(url)).body).toEqual(body);
      expect((await ada.get(`${PATH}/${id}`)).body.status).toBe('queued');
    });

    test('are updated by id; what is absent stays', async () => {
      const { url, faq } = await add(
        { question: 'a?', answer: '1', category: 'c' },
        { question: 'b?', answer: '2' },
      );
      const answer = await ada.put(url, { faq: [{ id: faq[1]?.id, answer: 'two' }] });
      expect(answer).toMatchObject({
        status: 200,
        body: { faq: [{ ...faq[1], answer: 'two' }] },
      });
      expect((await ada.get(url)).body.faq).toEqual([faq[0], { ...faq[1], answer: 'two' }]);
    });

    test('are all updated or none', async () => {
      const { url, faq } = await add({ question: 'a?', answer: '1' });
      const answer = await ada.put(url, {
        faq: [
          { id: faq[0]?.id, answer: 'one' },
          { id: 'nope', answer: 'x' },
        ],
      });
      expect(answer).toMatchObject({ status: 404, body: { detail: 'FAQ entry not found: nope' } });
      expect((await ada.get(url)).body.faq).toEqual(faq);
    });

    test('that are locked refuse changes and deletion until the same PUT unlocks them', async () => {
      const { url, faq } = await add({ question: 'a?', answer: '1', updatable: false });
      const id = faq[0]?.id;
      expect((await ada.put(url, { faq: [{ id, answer: 'x' }] })).status).toBe(409);
      expect((await ada.delete(`${url}/${id}`)).status).toBe(409);
      expect((await ada.get(url)).body.faq).toEqual(faq);
      const unlocked = await ada.put(url, { faq: [{ id, answer: 'x', updatable: true }] });
      expect(unlocked.body.faq).toEqual([{ ...faq[0], answer: 'x', updatable: true }]);
      expect(await ada.delete(`${url}/${id}`)).toMatchObject({
        status: 200,
        body: { message: 'FAQ entry deleted' },
      });
      expect(await ada.delete(`${url}/${id}`)).toMatchObject({
        status: 404,
        body: { detail: `FAQ entry not found: ${id}` },
      });
    });

    test.each([
      [{ faq: [] }, 'faq', 'must have at least 1 item'],
      [{ faq: [{ id: 'x', question: 'q', answer: 'a' }] }, 'faq.0.id', 'unknown field'],
      [{ faq: [{ question: 'q' }] }, 'faq.0.answer', 'is required'],
      [{}, 'faq', 'is required'],
    ])('%j cannot be added', async (body, path, message) => {
      const { id } = await create();
      const answer = await ada.post(`${PATH}/${id}/faq-template`, body);
      expect(answer.status).toBe(422);
      expect(answer.body.detail.errors).toContainEqual({ path, message });
    });

    test('cannot be named twice in one change', async () => {
      const { url, faq } = await add({ question: 'a?', answer: '1' });
      const entry = { id: faq[0]?.id, answer: 'x' };
      expect((await ada.put(url, { faq: [entry, entry] })).status).toBe(422);
    });
  });
});
