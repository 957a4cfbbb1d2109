import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { INDEX_FORMAT } from '../../src/knowledge/indexing/index-format.ts';
import { SearchService } from '../../src/knowledge/search/search-service.ts';
import { KeepService } from '../../src/knowledge/training/keep-service.ts';
import { findUnindexed } from '../../src/store/knowledge-lookup.ts';
import { queueKnowledgeBase } from '../../src/store/knowledge-training.ts';
import { withDatabase } from '../support/postgres.ts';
import { TestTrainer } from '../support/training.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const HOURS = '# Opening hours\n\nThe museum opens at nine on weekdays.';

withDatabase('search on a thread of its own', ({ db, database, newTeam }) => {
  test('finds what trainings kept, as it is after the last of them, whatever the format of the index', async () => {
    const keeper = new KeepService(database().connection);
    const trainer = await TestTrainer.open(db(), { keep: (kept) => keeper.keep(kept) });
    const service = new SearchService({ connection: database().connection, log });
    try {
      const teamId = await newTeam();
      const fileId = await trainer.keep(teamId, { name: 'a.md', format: 'md', content: HOURS });
      const id = await trainer.createBase(teamId, [fileId]);
      const ask = async (query: string) => {
        const hits = await service.search({ teamId, knowledgeBaseIds: [id], query, limit: 3 });
        return hits.map((hit) => (hit.kind === 'passage' ? hit.passage.text : ''));
      };
      await trainer.train(teamId, id);
      service.warm({ teamId, knowledgeBaseIds: [id] });
      expect(await ask('when does the musem open')).toEqual([
        'The museum opens at nine on weekdays.',
      ]);

      await trainer.spoil(fileId, HOURS.replace('nine', 'ten'));
      await db().execute(sql`update files set sha256 = 'other' where id = ${fileId}`);
      await queueKnowledgeBase(db(), { teamId, id });
      await trainer.train(teamId, id);
      expect(await ask('museum')).toEqual(['The museum opens at ten on weekdays.']);

      const unindexed = () => findUnindexed(db(), { format: INDEX_FORMAT, after: '', limit: 10 });
      expect(await unindexed()).toEqual([]);
      await db().execute(sql`update knowledge_index_blocks set format = 1, bytes = 'old'`);
      const [segment] = await unindexed();
      await keeper.index(segment?.id ?? '');
      expect(await unindexed()).toEqual([]);

      await db().execute(sql`update knowledge_index_blocks set format = 1, bytes = 'old'`);
      const afresh = new SearchService({ connection: database().connection, log });
      try {
        const hits = await afresh.search({
          teamId,
          knowledgeBaseIds: [id],
          query: 'museum',
          limit: 3,
        });
        expect(hits.length).toBe(1);
        expect(await unindexed()).toEqual([]);
      } finally {
        afresh.close();
      }
    } finally {
      service.close();
      keeper.close();
      await trainer.close();
    }
  });
});
