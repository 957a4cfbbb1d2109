import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FileFormat } from '../../src/contract/file.ts';
import { searchKnowledge } from '../../src/knowledge/search.ts';
import { withDatabase } from '../support/postgres.ts';
import { TestTrainer } from '../support/training.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/knowledge');
const FILES: readonly (readonly [name: string, format: FileFormat])[] = [
  ['amendments.md', 'md'],
  ['fables.txt', 'txt'],
  ['speeches.html', 'html'],
];

withDatabase('retrieval without embeddings', ({ db, newTeam }) => {
  test('at least nine of ten questions have their passage among the first five', async () => {
    const trainer = await TestTrainer.open(db());
    try {
      const teamId = await newTeam();
      const ids: string[] = [];
      for (const [name, format] of FILES)
        ids.push(
          await trainer.keep(teamId, { name, format, content: await readFile(join(FOLDER, name)) }),
        );
      const id = await trainer.createBase(teamId, ids);
      await trainer.train(teamId, id);
      const questions: readonly (readonly [question: string, expected: string])[] = JSON.parse(
        await readFile(join(FOLDER, 'questions.json'), 'utf8'),
      );
      const missed: string[] = [];
      let first = 0;
      for (const [query, expected] of questions) {
        const hits = await searchKnowledge(db(), {
          teamId,
          knowledgeBaseIds: [id],
          query,
          limit: 5,
        });
        const texts = hits.map((hit) => (hit.kind === 'passage' ? hit.passage.text : ''));
        const rank = texts.findIndex((text) => text.includes(expected));
        if (rank < 0) missed.push(query);
        if (rank === 0) first++;
      }
      expect(missed.length / questions.length, missed.join('\n')).toBeLessThanOrEqual(0.1);
      expect(first / questions.length).toBeGreaterThan(0.7);
    } finally {
      await trainer.close();
    }
  });
});
