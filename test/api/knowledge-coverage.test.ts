import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWrapUp, type WrapUpDeps } from '../../src/calls/wrap-up-call.ts';
import { writeCallBatch } from '../../src/store/call-batch.ts';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { createCallWithServer } from '../support/call-with-server.ts';
import { withDatabase } from '../support/postgres.ts';

const PATH = '/kb/v1/knowledge-bases';

withDatabase('the coverage of a knowledge base', ({ db, newTeam }) => {
  let api: TestApi;
  let ada: TestClient;
  let teamId: string;
  let baseId: string;
  let atMs = 0;
  beforeAll(async () => {
    api = await startTestApi(db());
    teamId = await newTeam();
    ada = await api.client(teamId);
    baseId = (await ada.post(PATH, { title: 'Bicycles' })).body.id;
  });
  afterAll(() => api.close());

  const passage = {
    ...{ text: 'Twelve euros.', score: 0.9, source: 'file:f1', document: 'prices.pdf' },
    ...{ heading: 'Repairs', page: 2 },
  };

  /** A finished call in which the assistant looked these questions up. */
  const callAsking = async (asked: Readonly<Record<string, readonly unknown[] | undefined>>) => {
    const { id } = await createCallWithServer(db(), {
      teamId,
      url: 'https://shop.example/hook',
      assistant: {
        assistantPredefinedTools: { knowledgeBase: true },
        assistantKnowledgeBaseIds: [baseId, 'deleted-meanwhile'],
      },
    });
    const lines = Object.entries(asked).flatMap(([query, results], i) => {
      const toolCallId = `call-${i}`;
      const invoke = { toolCallId, name: 'knowledgeBase', arguments: { query } };
      atMs += 1000;
      const at = atMs;
      return [
        { seq: 2 * i, at, kind: 'command' as const, type: 'tool.invoke', data: invoke },
        results === undefined
          ? {
              ...{ seq: 2 * i + 1, at, kind: 'command' as const },
              ...{ type: 'tool.cancel', data: { toolCallId } },
            }
          : {
              ...{ seq: 2 * i + 1, at: at + 50, kind: 'event' as const },
              ...{ type: 'tool.result', data: { toolCallId, result: JSON.stringify({ results }) } },
            },
      ];
    });
    const patch = { status: 'finished', endAt: Date.now(), settled: true } as const;
    await writeCallBatch(db(), { teamId, callId: id, lines, messages: [], patch });
    const wrapUp = createWrapUp({
      db: db(),
      log: { debug() {}, info() {}, warn() {}, error() {} },
      fill: (text: string) => text,
      keepTranscript: async () => undefined,
      onReported: () => undefined,
    } as unknown as WrapUpDeps);
    for (let time = 0; time < 2; time++)
      await wrapUp({ callId: id }, { signal: new AbortController().signal, number: 1, last: true });
    return id;
  };
  const coverage = async () => (await ada.get(`${PATH}/${baseId}/coverage`)).body;

  test('is empty before anything was asked', async () => {
    expect(await coverage()).toEqual({ asked: 0, answered: 0, unanswered: [] });
  });

  test('a call names its sources, and what it could not answer is listed until there is an answer', async () => {
    const first = await callAsking({
      'What does a puncture cost?': [passage],
      'Do you rent out tandems?': [],
      'Cut off in the mid': undefined,
    });
    const { body: call } = await ada.get(`/calls/v1/conversations/${first}`);
    expect(call.lookups).toEqual([
      {
        atMs: 1000,
        question: 'What does a puncture cost?',
        answered: true,
        sources: [
          {
            ...{ type: 'file', id: 'f1', document: 'prices.pdf' },
            ...{ heading: 'Repairs', page: 2, score: 0.9 },
          },
        ],
      },
      { atMs: 2000, question: 'Do you rent out tandems?', answered: false, sources: [] },
    ]);
    const second = await callAsking({ 'Can I rent a tandem?': [], 'Is there coffee?': [] });
    const { unanswered, ...counts } = await coverage();
    expect(counts).toEqual({ asked: 4, answered: 1 });
    expect(unanswered).toEqual([
      {
        question: expect.stringContaining('tandem'),
        count: 2,
        lastAskedAt: expect.any(String),
        lastCallId: second,
        wordings: expect.arrayContaining(['Do you rent out tandems?', 'Can I rent a tandem?']),
      },
      expect.objectContaining({ question: 'Is there coffee?', count: 1 }),
    ]);

    const faq = [{ question: unanswered[0].question, answer: 'Yes, for a day.' }];
    expect((await ada.post(`${PATH}/${baseId}/faq-template`, { faq })).status).toBe(200);
    const left = (await coverage()).unanswered;
    expect(left).toMatchObject([{ question: 'Is there coffee?' }]);

    const dismissed = { questions: ['Is there coffee?'] };
    expect((await ada.post(`${PATH}/${baseId}/coverage/dismiss`, dismissed)).status).toBe(200);
    expect(await coverage()).toEqual({ asked: 4, answered: 1, unanswered: [] });
    await callAsking({ 'Is there coffee?': [] });
    expect((await coverage()).unanswered).toMatchObject([{ count: 1 }]);
  });

  test('belongs to its team', async () => {
    const eve = await api.client(await newTeam());
    expect((await eve.get(`${PATH}/${baseId}/coverage`)).status).toBe(404);
    const dismissed = { questions: ['Is there coffee?'] };
    expect((await eve.post(`${PATH}/${baseId}/coverage/dismiss`, dismissed)).status).toBe(404);
    expect((await ada.get(`${PATH}/${baseId}/coverage?days=0`)).status).toBe(422);
  });
});
