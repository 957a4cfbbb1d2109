import type { JobHandler, JobKind, JobSender } from '../jobs/job-sender.ts';
import type { Db } from '../store/db.ts';
import {
  countDeletedByDay,
  deleteCalls,
  listTeamsOfCalls,
  matchingCalls,
} from '../store/delete-calls.ts';
import type { DeletionLedger } from './deletion-ledger.ts';
import { queueFileRemoval } from './remove-call-files.ts';

/** Deletes again what a restored backup has brought back; queued at each start. */
export const deleteAgainJob: JobKind<Record<string, never>> = {
  name: 'delete-again',
  timeoutMs: 3600_000,
  retries: 20,
  retryDelayMs: 10_000,
  maxRetryDelayMs: 600_000,
};

const SLICE = 500;

/** Looks only at days of which the database knows other deletions than the ledger has. */
export function createDeleteAgain({
  db,
  now,
  jobs,
  ledger,
}: {
  readonly db: Db;
  readonly now: () => number;
  readonly jobs: JobSender;
  readonly ledger: Pick<DeletionLedger, 'days'>;
}): JobHandler<Record<string, never>> {
  return async (_data, { signal }) => {
    const known = await countDeletedByDay(db);
    for await (const [day, deleted] of ledger.days()) {
      if (known.get(day) === deleted.size) continue;
      const all = [...deleted];
      for (let at = 0; at < all.length; at += SLICE) {
        signal.throwIfAborted();
        const found = await listTeamsOfCalls(db, { ids: all.slice(at, at + SLICE) });
        for (const [teamId, ids] of found)
          await deleteCalls(db, {
            ...{ teamId, matching: matchingCalls({ teamId, ids }), limit: SLICE },
            ...{ cause: 'restored-backup', now: new Date(now()) },
            afterwards: queueFileRemoval(jobs, { teamId }),
          });
      }
    }
  };
}
