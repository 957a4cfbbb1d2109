import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { installedServer, startPostgresServer } from '../support/postgres-server.ts';
import { askedAloud } from './knowledge/asked-aloud.ts';
import { type CorpusPassage, ENGLISH, MORE, OTHERS, packagePassages } from './knowledge/corpus.ts';
import { searchCosts } from './knowledge/costs.ts';
import {
  type Engine,
  miniSearchEngine,
  parleyEngine,
  parleyIndex,
  postgresEngine,
} from './knowledge/engines.ts';
import { configuredEmbedder, fusionCurve, meaningEngine } from './knowledge/meaning.ts';
import { readQuestions } from './knowledge/questions.ts';
import { cell, pace, precision, type Recall, recall } from './knowledge/recall.ts';
import { costsTable, type Findings, findingsTable } from './knowledge/tables.ts';
import type { Bench, BenchOptions } from './main.ts';
import { writeMeasured } from './measured.ts';

const HALVES = ['tuning', 'hidden'] as const;
const PASSAGES = 50_000;

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

async function corpusOf(folder: string, names: readonly string[]): Promise<CorpusPassage[]> {
  const passages: CorpusPassage[] = [];
  for (const name of names) passages.push(...(await packagePassages(folder, name)));
  return passages;
}

async function findings(
  corpus: readonly CorpusPassage[],
  others: readonly CorpusPassage[],
  client: pg.Client,
  { seed, curve }: BenchOptions,
): Promise<Findings> {
  const mixed = [...corpus, ...others];
  const index = parleyIndex(corpus);
  const parley = parleyEngine(index);
  const embedder = configuredEmbedder();
  const byMeaning = embedder && (await meaningEngine(corpus, index, embedder));
  const asked: (Engine & { readonly corpus: readonly CorpusPassage[] })[] = [
    { ...parley, corpus },
    ...(byMeaning ? [{ ...byMeaning, corpus }] : []),
    { ...parleyEngine(parleyIndex(mixed)), name: 'Parley, mixed languages', corpus: mixed },
    { ...miniSearchEngine(corpus), corpus },
    { ...(await postgresEngine(client, corpus)), corpus },
  ];
  const rows: string[][] = [];
  const answers: Findings['answers'][number][] = [];
  const tookMs = asked.map((): number[] => []);
  for (const half of HALVES) {
    const { unanswerable, ...kinds } = readQuestions(half, randomFrom(seed));
    for (const [kind, questions] of Object.entries(kinds)) {
      const found: Recall[] = [];
      for (const engine of asked) found.push(await recall(engine, engine.corpus, questions));
      for (const [i, one] of found.entries()) tookMs[i]?.push(...one.tookMs);
      rows.push([`${half}, ${kind}`, `${questions.length}`, ...found.map(cell)]);
      console.log(rows.at(-1)?.join(' | '));
    }
    const all = [...Object.values(kinds).flat(), ...unanswerable];
    for (const engine of [parley, ...(byMeaning ? [byMeaning] : [])])
      answers.push({ half, engine: engine.name, ...(await precision(engine, corpus, all)) });
    const aloud = await askedAloud(corpus, kinds.close);
    console.log(`${half}, spoken`, aloud);
    // Without a cell for engines that nobody asked aloud.
    const cells = asked.map(({ name }) => aloud.found[name] ?? '');
    rows.push([`${half}, close, asked aloud*`, `${kinds.close.length}`, ...cells]);
    if (curve && byMeaning && half === 'tuning')
      console.table(await fusionCurve(byMeaning, corpus, kinds));
  }
  rows.push(['ms a question, p50 / p95', '', ...tookMs.map(pace)]);
  embedder?.close?.();
  return { passages: corpus.length, engines: asked.map(({ name }) => name), rows, answers };
}

export const bench: Bench = {
  about:
    "questions to 25,000 and 50,000 passages of Debian's documentation, beside MiniSearch and ts_rank; what a search costs",
  async run(options) {
    const bin = installedServer();
    if (!bin) throw new Error('This bench needs a Postgres server in /usr/lib/postgresql.');
    const kept = process.env.KNOWLEDGE_CORPUS;
    const folder = kept ?? (await mkdtemp(join(tmpdir(), 'parley-corpus-')));
    await mkdir(folder, { recursive: true });
    const server = await startPostgresServer(bin);
    const client = new pg.Client({ connectionString: server.url('postgres') });
    try {
      await client.connect();
      const english = await corpusOf(folder, ENGLISH);
      const wanted = Math.round(PASSAGES * options.scale);
      const all =
        wanted > english.length ? [...english, ...(await corpusOf(folder, MORE))] : english;
      // All questions are about the first packages, which a smaller corpus has as well.
      const corpus = all.slice(0, Math.max(english.length, wanted));
      const found = await findings(corpus, await corpusOf(folder, OTHERS), client, options);
      console.log(`\n${findingsTable(found)}`);
      const questions = HALVES.flatMap((half) =>
        Object.values(readQuestions(half, randomFrom(options.seed))).flat(),
      );
      const timed = all.slice(0, wanted);
      const cost = await searchCosts(server.url('postgres'), timed, questions, options.rounds);
      const costs = costsTable(cost, { passages: timed.length, rounds: options.rounds });
      console.log(`\n${costs}\n`);
      if (options.write)
        await writeMeasured(
          'docs/knowledge.md',
          timed.length,
          `${findingsTable(found)}

${costs}`,
        );
      return { found, cost };
    } finally {
      await client.end();
      await server.stop();
      if (kept === undefined) await rm(folder, { recursive: true, force: true });
    }
  },
};
