import { type AfterCalls, createAfterCalls } from '../calls/after-calls.ts';
import { createDeleteTeam, deleteTeamJob } from '../calls/delete-team.ts';
import type { Config } from '../config/config.ts';
import { createJobs, type Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { type KnowledgeService, openKnowledge } from './knowledge-service.ts';
import type { LiveCalls } from './live-calls.ts';
import type { Outbound } from './outbound.ts';
import type { ServiceStore } from './service-store.ts';

/** What the service does besides live calls: jobs, webhooks, analyses of ended calls, training of knowledge bases. */
export interface BackgroundWork {
  /** Handlers are registered before `start`. */
  readonly jobs: Jobs;
  readonly afterCalls: AfterCalls;
  readonly knowledge: KnowledgeService;
  start(): Promise<void>;
  close(): Promise<void>;
}

interface BackgroundWorkDeps {
  readonly store: ServiceStore;
  readonly live: Pick<LiveCalls, 'threadUse'>;
  readonly outbound: Outbound;
  /** True if no other process uses the database, so that jobs claimed by an earlier process are free at once. */
  readonly soleNode: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Time for running jobs to finish; those that take longer run again after the next start. */
const JOBS_GRACE_MS = 5_000;

export async function createBackgroundWork(
  { filesDir }: Pick<Config, 'filesDir'>,
  { store, live, outbound, soleNode, clock, log }: BackgroundWorkDeps,
): Promise<BackgroundWork> {
  const { db, connection, recordingsDir, unsavedRecords } = store;
  const { providers, fetch, toolServers } = outbound;
  const jobs = createJobs({ connection, log, soleNode });
  const afterCalls = createAfterCalls({
    db,
    schemas: toolServers.schemas,
    clock,
    jobs,
    providers,
    recordingsDir,
    soleNode,
    fetch,
    log,
  });
  const { embedder } = providers;
  const knowledge = await openKnowledge({
    db,
    connection,
    jobs,
    filesDir,
    fetch,
    embedder,
    idle: live.threadUse.idleRuleOf('search'),
    log,
  });
  const deleteTeam = createDeleteTeam({
    db,
    recordingsDir,
    removeFile: (id) => knowledge.fileStorage.remove(id),
    removeUnsaved: (teamId) => unsavedRecords.removeOfTeam(teamId),
  });
  jobs.work(deleteTeamJob, deleteTeam);
  return {
    jobs,
    afterCalls,
    knowledge,
    async start() {
      await jobs.start();
      await afterCalls.start();
      await knowledge.start();
    },
    async close() {
      await afterCalls.stop();
      await jobs.stop(JOBS_GRACE_MS);
      await knowledge.close();
    },
  };
}
