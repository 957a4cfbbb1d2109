import { once } from 'node:events';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAskable } from '../../src/knowledge/askable.ts';
import { toCitedPassage } from '../../src/knowledge/cited-passage.ts';
import { KnowledgeSearch } from '../../src/knowledge/search/knowledge-search.ts';
import { READER_VERSION } from '../../src/knowledge/training/sources.ts';
import { decideReply } from '../../src/providers/offline/llm/reply.ts';
import { insertFaqEntries } from '../../src/store/faq-entries.ts';
import {
  createKnowledgeBase,
  deleteKnowledgeBase,
  getKnowledgeBase,
  updateKnowledgeBase,
} from '../../src/store/knowledge-bases.ts';
import {
  beginTraining,
  findNeglected,
  finishTraining,
  queueDueForRetraining,
  queueKnowledgeBase,
  queueReadByOlder,
} from '../../src/store/knowledge-training.ts';
import { withDatabase } from '../support/postgres.ts';
import { TestTrainer } from '../support/training.ts';

const HOURS =
  '# Opening hours\n\nThe museum opens at nine on weekdays.\n\n# Tickets\n\nA ticket costs five euros.';

withDatabase('training', ({ db, newTeam }) => {
  let trainer: TestTrainer;
  beforeAll(async () => {
    trainer = await TestTrainer.open(db());
  });
  afterAll(() => trainer.close());

  const search = async (teamId: string, id: string, query: string) => {
    const hits = await new KnowledgeSearch(db()).search({
      teamId,
      knowledgeBaseIds: [id],
      query,
      limit: 5,
    });
    return hits.map((hit) => (hit.kind === 'passage' ? hit.passage.text : hit.answer));
  };
  const newBase = async (content = HOURS) => {
    const teamId = await newTeam();
    const fileId = await trainer.keep(teamId, { name: 'museum.md', format: 'md', content });
    return { teamId, fileId, id: await trainer.createBase(teamId, [fileId]) };
  };
  const statusOf = async (teamId: string, id: string) => {
    const { status, statusReason } = await getKnowledgeBase(db(), { teamId, id });
    return [status, statusReason];
  };

  test('a queued base is trained, and then answers from its files', async () => {
    const { teamId, id } = await newBase();
    expect(await statusOf(teamId, id)).toEqual(['queued', null]);
    expect(await search(teamId, id, 'when does the museum open')).toEqual([]);
    await trainer.train(teamId, id);
    expect(await statusOf(teamId, id)).toEqual(['trained', null]);
    expect((await search(teamId, id, 'when does the museum open'))[0]).toBe(
      'The museum opens at nine on weekdays.',
    );
    expect((await search(teamId, id, 'how much is a ticket'))[0]).toBe(
      'A ticket costs five euros.',
    );
  });

  test('a training that fails says why, and the index before it stays in use', async () => {
    const { teamId, id, fileId } = await newBase();
    await trainer.train(teamId, id);
    await db().execute(sql`update files set sha256 = 'other' where id = ${fileId}`);
    await trainer.spoil(fileId, Buffer.from([0, 1, 2]));
    await queueKnowledgeBase(db(), { teamId, id });
    await trainer.train(teamId, id);
    expect(await statusOf(teamId, id)).toEqual(['created', 'museum.md: The file is not text.']);
    expect((await search(teamId, id, 'museum open'))[0]).toBe(
      'The museum opens at nine on weekdays.',
    );
    const { rows } = await db().execute(
      sql`select 1 from knowledge_segments where knowledge_base_id = ${id} and not live`,
    );
    await trainer.spoil(fileId, HOURS.replace('nine', 'ten'));
    await queueKnowledgeBase(db(), { teamId, id });
    await trainer.train(teamId, id);
    expect(rows.length).toBe(1);
    expect((await search(teamId, id, 'museum open'))[0]).toBe(
      'The museum opens at ten on weekdays.',
    );
  });

  test('content that changes meanwhile queues it again after the run', async () => {
    const { teamId, id } = await newBase();
    const run = await beginTraining(db(), { teamId, id });
    await insertFaqEntries(db(), {
      teamId,
      knowledgeBaseId: id,
      entries: [{ question: 'Cloakroom?', answer: 'Free.' }],
    });
    expect(await statusOf(teamId, id)).toEqual(['training', null]);
    expect(run && (await finishTraining(db(), run))?.status).toBe('queued');
    await trainer.train(teamId, id);
    expect(await statusOf(teamId, id)).toEqual(['trained', null]);
  });

  test('a run that was cut short is begun again, and its own end changes nothing', async () => {
    const { teamId, id } = await newBase();
    const lost = await beginTraining(db(), { teamId, id });
    await trainer.train(teamId, id);
    expect(await statusOf(teamId, id)).toEqual(['trained', null]);
    expect(lost && (await finishTraining(db(), lost))).toBeUndefined();
    expect((await search(teamId, id, 'ticket'))[0]).toBe('A ticket costs five euros.');
  });

  test('a crawl whose base is deleted stops', async () => {
    const teamId = await newTeam();
    const include = { url: 'https://example.test/', subpaths_only: false, recursive: true };
    const payload = { urls_to_include: [include], urls_to_exclude: [] };
    const docs = [{ type: 'url' as const, payload }];
    const { id } = await createKnowledgeBase(db(), { teamId, title: 'Site', docs });
    const begun = Promise.withResolvers<AbortSignal>();
    const endless = await TestTrainer.open(db(), {
      watchEveryMs: 5,
      // biome-ignore lint/correctness/useYield: this site has no end, so it yields nothing
      async *crawl(_, { signal }) {
        begun.resolve(signal);
        await once(signal, 'abort');
        throw signal.reason;
      },
    });
    const training = endless.train(teamId, id);
    const signal = await begun.promise;
    expect(signal.aborted).toBe(false);
    await deleteKnowledgeBase(db(), { teamId, id });
    await training;
    expect(signal.reason).toMatchObject({ name: 'RunOverError' });
    await endless.close();
  });

  test('a base that an older reader cut into passages is queued once, and trained anew', async () => {
    const { teamId, id } = await newBase();
    await trainer.train(teamId, id);
    const due = async () =>
      (await queueReadByOlder(db(), { readerVersion: READER_VERSION })).filter(
        ({ knowledgeBaseId }) => knowledgeBaseId === id,
      );
    expect(await due()).toEqual([]);
    await db().execute(
      sql`update knowledge_segments set reader_version = 1, fingerprint = 'old' where knowledge_base_id = ${id}`,
    );
    expect(await due()).toEqual([{ teamId, knowledgeBaseId: id }]);
    expect(await due()).toEqual([]);
    await trainer.train(teamId, id);
    expect(await due()).toEqual([]);
    expect((await search(teamId, id, 'ticket'))[0]).toBe('A ticket costs five euros.');
  });

  test('one that is told to stop leaves the base to the next attempt', async () => {
    const { teamId, id } = await newBase();
    const stopping = AbortSignal.abort();
    await expect(trainer.train(teamId, id, { signal: stopping })).rejects.toThrow();
    expect(await statusOf(teamId, id)).toEqual(['training', null]);
    await trainer.train(teamId, id);
    expect(await statusOf(teamId, id)).toEqual(['trained', null]);
  });

  test('there is nothing to do for a base that is trained, or gone', async () => {
    const { teamId, id } = await newBase();
    await trainer.train(teamId, id);
    const { trainedAt } = await getKnowledgeBase(db(), { teamId, id });
    await trainer.train(teamId, id);
    await trainer.train(teamId, 'gone');
    expect((await getKnowledgeBase(db(), { teamId, id })).trainedAt).toEqual(trainedAt);
  });

  test('what has not changed keeps its segment; what was detached is found no more', async () => {
    const { teamId, id, fileId } = await newBase();
    const other = await trainer.keep(teamId, {
      name: 'garden.txt',
      format: 'txt',
      content: 'The garden closes at dusk.',
    });
    const segments = async () => {
      const { rows } = await db().execute<{ id: string }>(
        sql`select id from knowledge_segments where knowledge_base_id = ${id} and live order by id`,
      );
      return rows.map((row) => row.id);
    };
    await trainer.train(teamId, id);
    const [first] = await segments();
    const set = async (...ids: string[]) => {
      const content = { files: ids.map((it) => ({ id: it })) };
      await updateKnowledgeBase(db(), { teamId, id, content });
      await queueKnowledgeBase(db(), { teamId, id });
      await trainer.train(teamId, id);
    };
    await set(fileId, other);
    expect(await segments()).toHaveLength(2);
    expect(await segments()).toContain(first);
    expect(await search(teamId, id, 'garden')).toEqual(['The garden closes at dusk.']);
    await set(other);
    expect(await search(teamId, id, 'museum')).toEqual([]);
    await set();
    expect(await search(teamId, id, 'garden')).toEqual([]);
  });

  test('a base is queued again when its time has come, and one whose job was lost is found', async () => {
    const { teamId, id } = await newBase();
    await trainer.train(teamId, id);
    await updateKnowledgeBase(db(), { teamId, id, content: { retrainFrequencyMinutes: 60 } });
    const due = { teamId, knowledgeBaseId: id };
    expect(await queueDueForRetraining(db())).not.toContainEqual(due);
    await db().execute(sql`update knowledge_bases
      set trained_at = now() - interval '61 minutes', updated_at = now() - interval '61 minutes' where id = ${id}`);
    expect(await queueDueForRetraining(db())).toContainEqual(due);
    expect(await statusOf(teamId, id)).toEqual(['queued', null]);
    expect(await findNeglected(db(), { before: new Date(Date.now() - 60_000) })).not.toContainEqual(
      due,
    );
    expect(await findNeglected(db(), { before: new Date(Date.now() + 1000) })).toContainEqual(due);
  });

  test('what a file asks and has headings for is what a caller may ask', async () => {
    const { teamId, id } = await newBase(`${HOURS}\n\nWhere can I park? Behind the house.`);
    await trainer.train(teamId, id);
    const askable = await listAskable(db(), { teamId, knowledgeBaseIds: [id], limit: 10 });
    expect(askable.sentences).toEqual(['Opening hours', 'Tickets', 'Where can I park?']);
    const other = await newTeam();
    expect(await listAskable(db(), { teamId: other, knowledgeBaseIds: [id], limit: 10 })).toEqual({
      sentences: [],
      topics: [],
    });
  });

  test('the built-in responder answers from a file, in the words of the file', async () => {
    const { teamId, id } = await newBase();
    await trainer.train(teamId, id);
    const query = 'when does the museum open on weekdays';
    const hits = await new KnowledgeSearch(db()).search({
      teamId,
      knowledgeBaseIds: [id],
      query,
      limit: 4,
    });
    const [cited] = hits.map(toCitedPassage);
    expect(cited).toMatchObject({
      source: expect.stringMatching(/^file:./),
      document: 'museum.md',
    });
    const content = JSON.stringify({ results: hits.map(toCitedPassage) });
    const toolCalls = new Map([['call', 'knowledgeBase']]);
    const reply = decideReply({
      messages: [
        { role: 'user', content: query },
        { role: 'assistant', content: '', toolCalls },
        { role: 'tool', content, toolCallId: 'call' },
      ],
      tools: ['knowledgeBase'],
      mayCall: true,
    });
    expect(reply.text).toBe('The museum opens at nine on weekdays.');
  });
});
