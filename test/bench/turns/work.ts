import { type GeneratedClass, generate } from './corpus.ts';
import { drive } from './driver.ts';
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
  const scripts =
    work.class === 'goldens' ? readGoldens() : generate(work.seed, work.class, work.scale);
  for (const script of scripts) {
    const trace = drive(
      script,
      kind,
      point
        ? point.separation === undefined
          ? {}
          : { separation: point.separation }
        : { journal: true },
    );
    if (trace.fault !== undefined) faults.push(`${script.id} on ${kind.name}: ${trace.fault}`);
    measures.add(measure(trace));
  }
  return { work, measures: { counts: measures.counts, samples: measures.samples }, faults };
}
