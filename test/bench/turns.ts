import type { Bench } from './main.ts';
import { GENERATED, type GeneratedClass } from './turns/corpus.ts';
import { doAll } from './turns/crew.ts';
import { measureCurve, printCurve } from './turns/curve.ts';
import { ENGINES, OURS } from './turns/engines.ts';
import { Measures } from './turns/metrics/measures.ts';
import { printTable, toJson } from './turns/table.ts';
import type { Done } from './turns/work.ts';

const THREADS = 2;

/** Our own work for an hour of call, ms: no journal, no replay, no simulated world, no other engine. */
async function measureCost(seed: number, scale: number): Promise<number> {
  const [engine = ''] = OURS;
  const classes = Object.keys(GENERATED) as GeneratedClass[];
  const work = classes.map((name) => ({ engine, class: name, seed, scale, timed: true }));
  const all = new Measures();
  for (const { measures } of await doAll(work, 1)) all.add(measures);
  return all.get('own ms') / (all.get('virtual ms') / 3_600_000);
}

/** What each engine gave over the whole corpus, in the engines' order. */
function byEngine(done: readonly Done[]): ReadonlyMap<string, Measures> {
  const results = new Map(ENGINES.map(({ name }) => [name, new Measures()]));
  for (const { work, measures } of done) results.get(work.engine)?.add(measures);
  return results;
}

export const bench: Bench = {
  about: 'turn-taking on a generated corpus, ours and the policies of other engines',
  async run({ seed, scale, curve: wantsCurve }) {
    const from = performance.now();
    const classes = [...(Object.keys(GENERATED) as GeneratedClass[]), 'goldens' as const];
    const work = ENGINES.flatMap(({ name: engine }) =>
      classes
        .filter((name) => !['control', 'goldens'].includes(name) || OURS.includes(engine))
        .map((name) => ({ engine, class: name, seed, scale })),
    );
    const done = await doAll(work, THREADS);
    const results = byEngine(done);
    const wallMs = performance.now() - from;
    for (const fault of done.flatMap(({ faults }) => faults)) console.log(`FAULT ${fault}`);
    printTable(results);
    const hours =
      [...results.values()].reduce((sum, m) => sum + m.get('virtual ms'), 0) / 3_600_000;
    const perHour = (wallMs * THREADS) / hours;
    console.log(
      `seed ${seed}: ${hours.toFixed(1)} virtual hours in ${(wallMs / 1000).toFixed(1)} s on ${THREADS} threads; ${perHour.toFixed(0)} ms of work for an hour of call`,
    );
    const ownPerHour = await measureCost(seed, scale);
    console.log(`our own work for an hour of call: ${ownPerHour.toFixed(0)} ms`);
    const curve = wantsCurve ? await measureCurve(seed, scale, THREADS) : undefined;
    if (curve) printCurve(curve);
    return {
      seed,
      ...toJson(results),
      wallSeconds: wallMs / 1000,
      msPerVirtualHour: perHour,
      ownMsPerVirtualHour: ownPerHour,
      ...(curve && { curve }),
    };
  },
};
