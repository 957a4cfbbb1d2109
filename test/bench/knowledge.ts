import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import pg from 'pg';
import { ANSWER_SCORE } from '../../src/contract/knowledge-base.ts';
import { SearchService } from '../../src/knowledge/search/search-service.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createTeam } from '../../src/store/teams.ts';
import { installedServer, startPostgresServer } from '../support/postgres-server.ts';
import { TestTrainer } from '../support/training.ts';
import { type CorpusPassage, ENGLISH, MORE, OTHERS, packagePassages } from './knowledge/corpus.ts';
import {
  type Engine,
  miniSearchEngine,
  parleyEngine,
  postgresEngine,
} from './knowledge/engines.ts';
import { isAnswer, type Question, readQuestions } from './knowledge/questions.ts';
import { hearQuestions } from './knowledge/spoken.ts';
import type { Bench, BenchOptions } from './main.ts';
import { quantiles } from './quantiles.ts';

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const log = { debug() {}, info() {}, warn() {}, error() {} };
const HALVES = ['tuning', 'hidden'] as const;

async function corpusOf(folder: string, names: readonly string[]): Promise<CorpusPassage[]> {
  const passages: CorpusPassage[] = [];
  for (const name of names) passages.push(...(await packagePassages(folder, name)));
  return passages;
}

async function recall(
  engine: Engine,
  corpus: readonly CorpusPassage[],
  questions: readonly Question[],
) {
  let first = 0;
  let five = 0;
  for (const question of questions) {
    const found = await engine.find(question.ask);
    const rank = found.findIndex(({ place }) => isAnswer(corpus[place]?.text ?? '', question));
    if (rank === 0) first++;
    if (rank >= 0 && rank < 5) five++;
  }
  return { first, five };
}

/** Of the answers that are given at the threshold, how many are right. */
async function precision(
  engine: Engine,
  corpus: readonly CorpusPassage[],
  questions: readonly Question[],
) {
  let given = 0;
  let right = 0;
  for (const question of questions) {
    const [hit] = await engine.find(question.ask);
    if (!hit || (hit.confidence ?? 0) < ANSWER_SCORE) continue;
    given++;
    if (isAnswer(corpus[hit.place]?.text ?? '', question)) right++;
  }
  return { asked: questions.length, given, right };
}

/**
 * The close questions asked aloud. The built-in recogniser hears 500 sentences and topics of a base, so the base has only
 * the pages that answer.
 */
async function askedAloud(corpus: readonly CorpusPassage[], questions: readonly Question[]) {
  const answering = corpus.filter(({ text }) =>
    questions.some((question) => isAnswer(text, question)),
  );
  const sources = new Set(answering.map(({ source }) => source));
  const base = corpus.filter(({ source }) => sources.has(source));
  const { questions: heard, wordErrorRate } = await hearQuestions(base, questions);
  const asWritten = await recall(parleyEngine(base), base, questions);
  const ours = await recall(parleyEngine(base), base, heard);
  const theirs = await recall(miniSearchEngine(base), base, heard);
  return {
    ...{ passages: base.length, of: questions.length, wordErrorRate },
    written: `${asWritten.first} / ${asWritten.five}`,
    spoken: `${ours.first} / ${ours.five}`,
    'spoken, MiniSearch': `${theirs.first} / ${theirs.five}`,
  };
}

async function findings(folder: string, client: pg.Client, { seed }: BenchOptions) {
  const corpus = await corpusOf(folder, ENGLISH);
  const mixed = [...corpus, ...(await corpusOf(folder, OTHERS))];
  const parley = parleyEngine(corpus);
  const engines = [
    { ...parley, corpus },
    { ...parleyEngine(mixed), name: 'Parley, mixed languages', corpus: mixed },
    { ...miniSearchEngine(corpus), corpus },
    { ...(await postgresEngine(client, corpus)), corpus },
  ];
  const rows: string[][] = [];
  const answers: Record<string, unknown>[] = [];
  const aloud: Record<string, unknown>[] = [];
  for (const half of HALVES) {
    const { unanswerable, ...kinds } = readQuestions(half, randomFrom(seed));
    for (const [kind, questions] of Object.entries(kinds)) {
      const cells = [`${half}, ${kind}`, `${questions.length}`];
      for (const engine of engines) {
        const { first, five } = await recall(engine, engine.corpus, questions);
        cells.push(`${first} / ${five}`);
      }
      rows.push(cells);
    }
    const all = [...Object.values(kinds).flat(), ...unanswerable];
    answers.push({ half, ...(await precision(parley, corpus, all)) });
    aloud.push({ half, ...(await askedAloud(corpus, kinds.close)) });
  }
  const head = ['', 'of', ...engines.map(({ name }) => name)];
  console.log(`${corpus.length} passages; right at first / among five\n`);
  for (const cells of [head, head.map(() => '---'), ...rows])
    console.log(`| ${cells.join(' | ')} |`);
  console.table(answers);
  console.table(aloud);
  return { passages: corpus.length, head, rows, answers, aloud };
}

/** What searches cost, and what of it the thread feels that asks for them. */
async function costs(folder: string, databaseUrl: string, { seed, scale, rounds }: BenchOptions) {
  const database = await openDatabase({ databaseUrl });
  const trainer = await TestTrainer.open(database.db);
  const service = new SearchService({ connection: database.connection, log });
  try {
    const corpus = await corpusOf(folder, [...ENGLISH, ...MORE]);
    const wanted = corpus.slice(0, Math.round(50_000 * scale));
    const teamId = (await createTeam(database.db, { name: 'Bench' })).id;
    const fileIds: string[] = [];
    for (let i = 0; i < wanted.length; i += 2_500) {
      const content = wanted
        .slice(i, i + 2_500)
        .map(({ headings, text }, at) => `# ${headings.at(-1) ?? 'Part'} ${i + at}\n\n${text}`)
        .join('\n\n');
      fileIds.push(await trainer.keep(teamId, { name: `part-${i}.txt`, format: 'md', content }));
    }
    const id = await trainer.createBase(teamId, fileIds);
    const trainedAt = performance.now();
    await trainer.train(teamId, id);
    const trainedInMs = Math.round(performance.now() - trainedAt);
    const bases = { teamId, knowledgeBaseIds: [id] };
    const loadAt = performance.now();
    await service.search({ ...bases, query: 'warm', limit: 1 });
    const loadedInMs = Math.round(performance.now() - loadAt);
    const questions = HALVES.flatMap((half) =>
      Object.values(readQuestions(half, randomFrom(seed))).flat(),
    );
    const inMs = (nanoseconds: number) => Math.round(nanoseconds / 1e4) / 100;
    const measured: Record<string, number>[] = [];
    for (let round = 0; round < rounds; round++) {
      const tookMs: number[] = [];
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      for (const { ask } of questions) {
        const at = performance.now();
        await service.search({ ...bases, query: ask, limit: 5 });
        tookMs.push(performance.now() - at);
      }
      delay.disable();
      const idle = monitorEventLoopDelay({ resolution: 1 });
      idle.enable();
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      idle.disable();
      const { p50, p95, max } = quantiles(tookMs);
      measured.push({
        ...{ 'search p50, ms': p50, 'search p95, ms': p95, 'search max, ms': max },
        'lag while searching p99, ms': inMs(delay.percentile(99)),
        'lag while searching max, ms': inMs(delay.max),
        'lag while idle p99, ms': inMs(idle.percentile(99)),
        'lag while idle max, ms': inMs(idle.max),
      });
    }
    const times = Object.keys(measured[0] ?? {}).map((figure) => {
      const sorted = measured.map((round) => round[figure] as number).sort((a, b) => a - b);
      const [least, middle, most] = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)];
      return { figure, middle, least, most };
    });
    console.log(`\n${wanted.length} passages; ${rounds} rounds of ${questions.length} questions\n`);
    console.log('| | middle | range |\n|---|---|---|');
    for (const { figure, middle, least, most } of times)
      console.log(`| ${figure} | ${middle} | ${least}–${most} |`);
    console.log(`trained in ${trainedInMs} ms, read in ${loadedInMs} ms`);
    return { passages: wanted.length, trainedInMs, loadedInMs, times };
  } finally {
    service.close();
    await trainer.close();
    await database.close();
  }
}

export const bench: Bench = {
  about:
    "questions to 25,000 passages of Debian's documentation, beside MiniSearch and ts_rank; what a search costs",
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
      const found = await findings(folder, client, options);
      return { found, cost: await costs(folder, server.url('postgres'), options) };
    } finally {
      await client.end();
      await server.stop();
      if (kept === undefined) await rm(folder, { recursive: true, force: true });
    }
  },
};
