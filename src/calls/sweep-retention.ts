import type { JobHandler, JobKind, JobSender } from '../jobs/job-sender.ts';
import type { Db } from '../store/db.ts';
import { deleteCalls } from '../store/delete-calls.ts';
import {
  deleteExpiredTestRuns,
  deleteExpiredTextsByRule,
  forgetRecordings,
  listExpired,
  listExpiredSounds,
  listTeamsWithRules,
  stillExpired,
} from '../store/retention.ts';
import { listTeamsWithTestsOfDeletedCalls } from '../store/test-runs.ts';
import type { CallFiles } from './call-files.ts';
import { queueFileRemoval, removeSound } from './remove-call-files.ts';

/** Deletes calls, recordings, texts and runs of tests whose time is over. */
export const sweepRetentionJob: JobKind<Record<string, never>> = {
  name: 'sweep-retention',
  timeoutMs: 1800_000,
  retries: 5,
  retryDelayMs: 60_000,
};

/** Every hour. */
export const SWEEP_RETENTION_CRON = '41 * * * *';

const SLICE = 100;
const TEXTS = 1000;
const RUNS = 100;

interface Deps {
  readonly db: Db;
  readonly now: () => number;
  readonly jobs: JobSender;
  readonly recordingsDir: string;
  readonly files: Pick<CallFiles, 'remove'>;
}

/** Goes round the teams in slices, so that none waits for the whole of another. */
export function createSweepRetention(deps: Deps): JobHandler<Record<string, never>> {
  const { db, now: clock, jobs } = deps;
  return async (_data, { signal }) => {
    const now = new Date(clock());
    const round = async (kind: 'sound' | 'text', slice: (teamId: string) => Promise<number>) => {
      let teams = await listTeamsWithRules(db, { kind });
      while (teams.length > 0) {
        const unfinished: string[] = [];
        for (const teamId of teams) {
          signal.throwIfAborted();
          if ((await slice(teamId)) === SLICE) unfinished.push(teamId);
        }
        teams = unfinished;
      }
    };
    await round('text', async (teamId) => {
      const ids = await listExpired(db, { teamId, kind: 'text', now, limit: SLICE });
      if (ids.length === 0) return 0;
      // A hold or another rule may have come meanwhile.
      const matching = stillExpired({ teamId, ids, now });
      const afterwards = queueFileRemoval(jobs, { teamId });
      const slice = { teamId, matching, limit: SLICE, now, afterwards };
      await deleteCalls(db, { ...slice, cause: 'retention' });
      return ids.length;
    });
    await round('sound', (teamId) => removeSounds(deps, teamId, now));
    while ((await deleteExpiredTextsByRule(db, { now, perTeam: TEXTS })) > 0)
      signal.throwIfAborted();
    while ((await deleteExpiredTestRuns(db, { now, perTeam: RUNS })) > 0) signal.throwIfAborted();
    // Tests may have been stored after the call that they were made of was deleted.
    for (const teamId of await listTeamsWithTestsOfDeletedCalls(db))
      await queueFileRemoval(jobs, { teamId })(db);
  };
}

/** Files before the rows that name them. */
async function removeSounds(
  { db, recordingsDir, files }: Deps,
  teamId: string,
  now: Date,
): Promise<number> {
  const calls = await listExpiredSounds(db, { teamId, now, limit: SLICE });
  for (const call of calls) await removeSound({ recordingsDir, files }, call);
  await forgetRecordings(db, { teamId, ids: calls.map(({ id }) => id), now });
  return calls.length;
}
