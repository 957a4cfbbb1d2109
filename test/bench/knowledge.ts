import { KnowledgeSearch } from '../../src/knowledge/search/knowledge-search.ts';
import { openDatabase } from '../../src/store/database.ts';
import type { Db } from '../../src/store/db.ts';
import { createTeam } from '../../src/store/teams.ts';
import { installedServer, startPostgresServer } from '../support/postgres-server.ts';
import { TestTrainer } from '../support/training.ts';
import type { Bench, BenchOptions } from './main.ts';
import { quantiles } from './quantiles.ts';

const PASSAGES = 10_000;
const WORDS_EACH = 100;
const VOCABULARY = 20_000;
const QUERIES = 300;

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ');

function wordOf(index: number): string {
  let word = '';
  for (let rest = index + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length];
  return word;
}

/** As in a language, few words make most of a text. */
function commonWord(random: () => number): string {
  return wordOf(Math.floor(VOCABULARY ** random()) - 1);
}

function textOf(passages: number, random: () => number): string {
  const sections = Array.from({ length: passages }, (_, i) => {
    const words = Array.from({ length: WORDS_EACH }, () => commonWord(random));
    return `# Section ${i}\n\n${words.join(' ')}.`;
  });
  return sections.join('\n\n');
}

async function measure(db: Db, { seed, scale }: BenchOptions) {
  const random = randomFrom(seed);
  const trainer = await TestTrainer.open(db);
  try {
    const teamId = (await createTeam(db, { name: 'Bench' })).id;
    const passages = Math.round(PASSAGES * scale);
    const content = textOf(passages, random);
    const fileId = await trainer.keep(teamId, { name: 'text.md', format: 'md', content });
    const id = await trainer.createBase(teamId, [fileId]);
    const startedAt = performance.now();
    await trainer.train(teamId, id);
    const trainedInMs = performance.now() - startedAt;
    const search = new KnowledgeSearch(db);
    const tookMs: number[] = [];
    for (let i = 0; i < QUERIES; i++) {
      const words = Array.from({ length: 3 + Math.floor(random() * 6) }, () => commonWord(random));
      const query = `what about the ${words.join(' ')}`;
      const at = performance.now();
      await search.search({ teamId, knowledgeBaseIds: [id], query, limit: 5 });
      tookMs.push(performance.now() - at);
    }
    return { passages, trainedInMs: Math.round(trainedInMs), searchMs: quantiles(tookMs) };
  } finally {
    await trainer.close();
  }
}

export const bench: Bench = {
  about:
    'a search of 10,000 passages, from query to passages; its 95th percentile stays below 50 ms',
  async run(options) {
    const bin = installedServer();
    if (!bin) throw new Error('This bench needs a Postgres server in /usr/lib/postgresql.');
    const server = await startPostgresServer(bin);
    const database = await openDatabase({ databaseUrl: server.url('postgres') });
    try {
      const result = await measure(database.db, options);
      console.table({ 'search, ms': result.searchMs });
      console.log(
        `${result.passages} passages trained in ${result.trainedInMs} ms; goal: p95 below 50 ms`,
      );
      return result;
    } finally {
      await database.close();
      await server.stop();
    }
  },
};
