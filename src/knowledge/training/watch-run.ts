import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../../store/db.ts';
import { isCurrentRun, type TrainingRun } from '../../store/knowledge-training.ts';

/** The base was deleted, or another run has taken it over: nobody wants what this run makes. */
export class RunOverError extends Error {
  override readonly name = 'RunOverError';
}

export interface WatchedRun extends Disposable {
  /** Aborts with the given signal, or with {@link RunOverError}. */
  readonly signal: AbortSignal;
}

/** Asks the store at this interval whether a run is still wanted: a crawl may take a quarter of an hour. */
export function watchRun(
  db: Db,
  run: TrainingRun,
  { signal, everyMs }: { readonly signal: AbortSignal; readonly everyMs: number },
): WatchedRun {
  const over = new AbortController();
  const done = new AbortController();
  const watch = async () => {
    for (;;) {
      await delay(everyMs, undefined, { signal: done.signal });
      // While the store cannot be asked, the run goes on.
      if (await isCurrentRun(db, run).catch(() => true)) continue;
      over.abort(new RunOverError('the knowledge base was deleted or is being trained anew'));
      return;
    }
  };
  // Only the end of the run rejects it.
  watch().catch(() => undefined);
  return {
    signal: AbortSignal.any([signal, over.signal]),
    [Symbol.dispose]: () => done.abort(),
  };
}
