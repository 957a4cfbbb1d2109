import { monitorEventLoopDelay } from 'node:perf_hooks';
import { SearchService } from '../../../src/knowledge/search/search-service.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { createTeam } from '../../../src/store/teams.ts';
import { TestTrainer } from '../../support/training.ts';
import { quantiles } from '../quantiles.ts';
import type { CorpusPassage } from './corpus.ts';
import type { Question } from './questions.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };

export interface Costs {
  readonly trainedInMs: number;
  /** For the first search, which reads the index. */
  readonly loadedInMs: number;
  /** Of all rounds, in milliseconds. */
  readonly times: readonly {
    readonly figure: string;
    readonly middle: number;
    readonly least: number;
    readonly most: number;
  }[];
}

/** What searches cost in a trained base, and what of it the thread feels that asks for them. */
export async function searchCosts(
  databaseUrl: string,
  corpus: readonly CorpusPassage[],
  questions: readonly Question[],
  rounds: number,
): Promise<Costs> {
  const database = await openDatabase({ databaseUrl });
  const trainer = await TestTrainer.open(database.db);
  const service = new SearchService({ connection: database.connection, log });
  try {
    const teamId = (await createTeam(database.db, { name: 'Bench' })).id;
    const fileIds: string[] = [];
    for (let i = 0; i < corpus.length; i += 2_500) {
      const content = corpus
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
      const sorted = measured
        .map((round) => round[figure] ?? Number.NaN)
        .sort((first, second) => first - second);
      const at = (place: number) => sorted[place] ?? Number.NaN;
      return { figure, middle: at(sorted.length >> 1), least: at(0), most: at(sorted.length - 1) };
    });
    return { trainedInMs, loadedInMs, times };
  } finally {
    service.close();
    await trainer.close();
    await database.close();
  }
}
