import { answerTasks } from '../../lib/compute-thread.ts';
import { connectDatabase, type Database } from '../../store/database.ts';
import type { Connection } from '../../store/pool.ts';
import { type KeptPassages, keepPassages } from './keep-passages.ts';

/** What a keeping thread is told: to keep passages, or to make the index of a segment anew. */
export type KeepTask = { readonly connection: Connection } & (
  | { readonly kind: 'keep'; readonly kept: KeptPassages }
  | { readonly kind: 'index'; readonly segmentId: string }
);

let opened: Database | undefined;

answerTasks<KeepTask, true>(async (task): Promise<true> => {
  opened ??= connectDatabase(task.connection, { size: 1 });
  if (task.kind === 'keep') await keepPassages(opened.db, task.kept);
  else {
    // Rarely needed, and with the detection of languages tens of megabytes.
    const { indexSegment } = await import('../search/index-cache.ts');
    await indexSegment(opened.db, task.segmentId);
  }
  return true;
});
