import { type GeneratedClass, generate } from './corpus.ts';
import { drive } from './driver.ts';
import { timed } from './engines/timed.ts';
import { enginesOf } from './engines.ts';
import { readGoldens } from './goldens.ts';
import { measure } from './metrics/measure.ts';
import { Measures } from './metrics/measures.ts';

/** One piece of the whole: a class of scripts on one engine. */
export interface Work {
  readonly engine: string;
  readonly class: GeneratedClass | 'goldens';
  readonly seed: number;
  readonly scale: number;
  /** A point of a trade-off: how its waits are stretched, and how good the predictor is. No journal then. */
  readonly point?: Point;
  /** Only what the engine's own work costs. No journal either. */
  readonly timed?: boolean;
}

export interface Point {
  readonly stretch: number;
  /** d' of the predictor. @defaultValue that of smart-turn */
  readonly separation?: number;
}

export interface Done {
  readonly work: Work;
  readonly measures: Pick<Measures, 'counts' | 'samples'>;
  readonly faults: readonly string[];
}

export function doWork(work: Work): Done {
  const { point } = work;
  const kind = enginesOf(point?.stretch ?? 1).find(({ name }) => name === work.engine);
  if (!kind) throw new Error(`there is no engine "${work.engine}"`);
  const measures = new Measures();
  const faults: string[] = [];
  const run = work.timed ? timed(kind, (ms) => measures.count('own ms', ms)) : kind;
  const options = {
    journal: !(point || work.timed),
    ...(point?.separation === undefined ? {} : { separation: point.separation }),
  };
  const scripts =
    work.class === 'goldens' ? readGoldens() : generate(work.seed, work.class, work.scale);
  for (const script of scripts) {
    const trace = drive(script, run, options);
    if (trace.fault !== undefined) faults.push(`${script.id} on ${kind.name}: ${trace.fault}`);
    if (work.timed) measures.count('virtual ms', trace.end.at);
    else measures.add(measure(trace));
  }
  return { work, measures: { counts: measures.counts, samples: measures.samples }, faults };
}
