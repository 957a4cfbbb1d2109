import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FileFormat } from '../../src/contract/file.ts';
import { KnowledgeSearch } from '../../src/knowledge/search/knowledge-search.ts';
import { withDatabase } from '../support/postgres.ts';
import { TestTrainer } from '../support/training.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/knowledge');
const FILES: readonly (readonly [name: string, format: FileFormat])[] = [
  ['amendments.md', 'md'],
  ['fables.txt', 'txt'],
  ['speeches.html', 'html'],
];

const FRENCH = ['atelier-fr.md', 'md'] as const;

withDatabase('retrieval without embeddings', ({ db, newTeam }) => {
  /** Asks every question; returns those without their passage among the first five, and how many had it first. */
  const ask = async (files: typeof FILES) => {
    const trainer = await TestTrainer.open(db());
    try {
      const teamId = await newTeam();
      const ids: string[] = [];
      for (const [name, format] of files)
        ids.push(
          await trainer.keep(teamId, { name, format, content: await readFile(join(FOLDER, name)) }),
        );
      const id = await trainer.createBase(teamId, ids);
      await trainer.train(teamId, id);
      const questions: readonly (readonly [question: string, expected: string])[] = JSON.parse(
        await readFile(join(FOLDER, 'questions.json'), 'utf8'),
      );
      const search = new KnowledgeSearch(db());
      const find = async (query: string) => {
        const hits = await search.search({ teamId, knowledgeBaseIds: [id], query, limit: 5 });
        return hits.map((hit) => (hit.kind === 'passage' ? hit.passage.text : ''));
      };
      const missed: string[] = [];
      let first = 0;
      for (const [query, expected] of questions) {
        const rank = (await find(query)).findIndex((text) => text.includes(expected));
        if (rank < 0) missed.push(query);
        if (rank === 0) first++;
      }
      return { find, missed, share: first / questions.length, total: questions.length };
    } finally {
      await trainer.close();
    }
  };

  test('at least nine of ten questions have their passage among the first five', async () => {
    const { missed, share, total } = await ask(FILES);
    expect(missed.length / total, missed.join('\n')).toBeLessThanOrEqual(0.1);
    expect(share).toBeGreaterThan(0.7);
  });

  test('a document in another language does not spoil the others, and is found in its own', async () => {
    const alone = await ask(FILES);
    const mixed = await ask([...FILES, FRENCH]);
    expect(mixed.share).toBeGreaterThanOrEqual(alone.share);
    expect(mixed.missed.length).toBeLessThanOrEqual(alone.missed.length);
    const [first] = await mixed.find('Combien dois-je payer pour une révision ?');
    expect(first).toContain('soixante euros');
  });
});
