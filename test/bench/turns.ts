import type { Bench } from './main.ts';
import { GENERATED, type GeneratedClass } from './turns/corpus.ts';
import { doAll } from './turns/crew.ts';
import { measureCurve, printCurve } from './turns/curve.ts';
import { ENGINES, OURS, SAME_KNOWLEDGE, UNJUDGED } from './turns/engines.ts';
import { aheadOf, goalsOf, printView, toJson, viewsOf } from './turns/table.ts';
import type { Done, Work } from './turns/work.ts';

const THREADS = 2;
/** From the seed on: the middle of them counts, their range is told. */
const SEEDS = 3;

const ours: readonly string[] = OURS;
const told = new Set(SAME_KNOWLEDGE.flatMap(([, ...peers]) => peers));
const CLASSES = [...(Object.keys(GENERATED) as GeneratedClass[]), 'goldens'] as const;

/** Where somebody may speak who means nobody. */
const OVERLAPS: readonly string[] = [
  'barge-ins',
  'backchannels',
  'side-talk',
  'echo',
  'television',
];

/** Peers stand for their turn-taking only, and peers that are told our reading of the words for their endpoints only. */
function isAsked(engine: string, name: (typeof CLASSES)[number]): boolean {
  if (ours.includes(engine)) return true;
  if (engine === UNJUDGED) return OVERLAPS.includes(name);
  if (told.has(engine)) return ['clean', 'pauses', 'numbers'].includes(name);
  return !['stalled-voices', 'control', 'goldens'].includes(name);
}

/** Our own work for an hour of call, ms: no journal, no replay, no simulated world, no other engine. */
async function measureCost(seed: number, scale: number): Promise<number> {
  const [engine] = OURS;
  const classes = Object.keys(GENERATED) as GeneratedClass[];
  const work = classes.map((name) => ({ engine, class: name, seed, scale, timed: true }));
  const done = await doAll(work, 1);
  return sum(done, 'own ms') / (sum(done, 'virtual ms') / 3_600_000);
}

const sum = (done: readonly Done[], name: string) =>
  done.reduce((total, { measures }) => total + (measures.counts[name] ?? 0), 0);

export const bench: Bench = {
  about: 'turn-taking on a generated corpus, ours and the policies of other engines',
  async run({ seed, scale, curve: wantsCurve }) {
    const from = performance.now();
    const seeds = Array.from({ length: SEEDS }, (_, i) => seed + i);
    const names = ENGINES.map(({ name }) => name);
    const work = names.flatMap((engine) =>
      CLASSES.filter((name) => isAsked(engine, name)).flatMap((name) =>
        seeds.map((each): Work => ({ engine, class: name, seed: each, scale })),
      ),
    );
    const done = await doAll(work, THREADS);
    for (const fault of done.flatMap(({ faults }) => faults)) console.log(`FAULT ${fault}`);
    const wallSeconds = (performance.now() - from) / 1000;
    const results = viewsOf(done, names);
    for (const result of results) printView(result);
    const goals = goalsOf(results);
    console.log('\ngoals');
    for (const { met, engine, view, column, goal, value } of goals) {
      console.log(
        `${met ? 'met   ' : 'MISSED'} ${engine}: ${view}, ${column} ${value.toFixed(2)} (${goal})`,
      );
    }
    const ahead = aheadOf(results);
    console.log(`\nsame knowledge\n${ahead.join('\n')}`);
    const hours = sum(done, 'virtual ms') / 3_600_000;
    const ownMs = await measureCost(seed, scale);
    console.log(
      `\nseeds ${seeds.join(', ')}: ${hours.toFixed(1)} virtual hours in ${wallSeconds.toFixed(0)} s on ${THREADS} threads; our own work for an hour of call: ${ownMs.toFixed(0)} ms`,
    );
    const curve = wantsCurve ? await measureCurve(seed, scale, THREADS) : undefined;
    if (curve) printCurve(curve);
    return {
      seeds,
      views: toJson(results),
      goals,
      sameKnowledge: ahead,
      wallSeconds,
      ownMsPerVirtualHour: ownMs,
      ...(curve && { curve }),
    };
  },
};
