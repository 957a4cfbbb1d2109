import type { CallRecord } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import { deleteExpiredHistory, listExpiredHistory } from '../store/history.ts';
import { deleteExpiredTexts } from '../store/text-history.ts';
import type { JobHandler, JobKind } from './job-sender.ts';

/** Deletes the transcripts of calls and texts after their assistant's retention period. */
export const expireHistory: JobKind<Record<string, never>> = {
  name: 'expire-history',
  timeoutMs: 600_000,
  retries: 5,
  retryDelayMs: 60_000,
};

/** Every night. */
export const EXPIRE_HISTORY_CRON = '17 3 * * *';

export function createExpireHistory(deps: {
  readonly db: Db;
  readonly now: () => number;
  /** Removes the transcript file. */
  readonly removeTranscript: (call: Pick<CallRecord, 'id' | 'snapshot'>) => Promise<void>;
}): JobHandler<Record<string, never>> {
  return async (_data, { signal }) => {
    let failure: { readonly error: unknown } | undefined;
    let after = '';
    for (;;) {
      signal.throwIfAborted();
      const now = new Date(deps.now());
      const texts = await deleteExpiredTexts(deps.db, { now });
      const expired = await listExpiredHistory(deps.db, { now, after });
      const ids: string[] = [];
      for (const call of expired) {
        signal.throwIfAborted();
        after = call.id;
        try {
          // Before the rows: without them, nothing would find the file again.
          await deps.removeTranscript(call);
          ids.push(call.id);
        } catch (error) {
          failure ??= { error };
        }
      }
      await deleteExpiredHistory(deps.db, { ids, now });
      if (expired.length === 0 && texts === 0) break;
    }
    if (failure) throw failure.error;
  };
}
