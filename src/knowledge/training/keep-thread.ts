import { answerTasks } from '../../lib/compute-thread.ts';
import { connectDatabase, type Database } from '../../store/database.ts';
import type { Connection } from '../../store/pool.ts';
import { type KeptPassages, keepPassages } from './keep-passages.ts';

/** A task of the storing thread: store passages, or rebuild a segment's index. */
export type KeepTask = { readonly connection: Connection } & (
  | { readonly kind: 'keep'; readonly kept: KeptPassages }
  | { readonly kind: 'index'; readonly segmentId: string }
);

let opened: Database | undefined;

answerTasks<KeepTask, true>(async (task): Promise<true> => {
  opened ??= connectDatabase(task.connection, { size: 1 });
  if (task.kind === 'keep') await keepPassages(opened.db, task.kept);
  else {
    // Imported on demand: rarely needed, and it loads language detection, tens of megabytes.
    const { indexSegment } = await import('../search/index-cache.ts');
    await indexSegment(opened.db, task.segmentId);
  }
  return true;
});
