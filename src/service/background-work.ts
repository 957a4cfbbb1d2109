import { setTimeout as delay } from 'node:timers/promises';
import { type AfterCalls, createAfterCalls } from '../calls/after-calls.ts';
import { createDeleteAgain, deleteAgainJob } from '../calls/delete-again.ts';
import { createDeleteTeam, deleteTeamJob } from '../calls/delete-team.ts';
import { DeletionLedger } from '../calls/deletion-ledger.ts';
import { createEncryptFiles, encryptFilesJob } from '../calls/encrypt-files.ts';
import { createRemoveCallFiles, removeCallFilesJob } from '../calls/remove-call-files.ts';
import {
  createSweepRetention,
  SWEEP_RETENTION_CRON,
  sweepRetentionJob,
} from '../calls/sweep-retention.ts';
import type { Config } from '../config/config.ts';
import { type AssistantConfig, assistantConfigSchema } from '../contract/assistant.ts';
import type { Prices } from '../contract/prices.ts';
import type { JobHandler } from '../jobs/job-sender.ts';
import { createJobs, type Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { CallTraces } from '../ports/tracing.ts';
import { listTeamsToEncrypt, reopenTeamKeys } from '../store/team-keys.ts';
import { failedTestsJob } from '../testing/failed-tests-job.ts';
import { forgetDeletedCalls } from '../testing/forget-calls.ts';
import { createNightlyTests, NIGHTLY_TESTS_CRON, nightlyTestsJob } from '../testing/nightly.ts';
import { type RunOfTests, runTestsJob, speakTestsJob } from '../testing/start-run.ts';
import { createTellFailedTests } from '../testing/tell-failed-tests.ts';
import { TestReader } from '../testing/test-reader.ts';
import { FileKeeper } from './file-keeper.ts';
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
  readonly testReader: TestReader;
  start(): Promise<void>;
  close(): Promise<void>;
}

interface BackgroundWorkDeps {
  readonly store: ServiceStore;
  readonly live: Pick<LiveCalls, 'threadUse'>;
  readonly outbound: Outbound;
  readonly prices: Prices | undefined;
  readonly traces: CallTraces | undefined;
  readonly nodeId: string;
  /** True if no other process uses the database, so that jobs claimed by an earlier process are free at once. */
  readonly soleNode: boolean;
  /** True of one process of each machine: it brings the machine's files to the bucket. */
  readonly keepsFiles: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Time for running jobs to finish; those that take longer run again after the next start. */
const JOBS_GRACE_MS = 5_000;
const TEST_RUNS_AT_ONCE = 2;

export async function createBackgroundWork(
  {
    filesDir,
    deletedCallsDir,
    encryptCalls,
  }: Pick<Config, 'filesDir' | 'deletedCallsDir' | 'encryptCalls'>,
  {
    store,
    live,
    outbound,
    prices,
    traces,
    nodeId,
    soleNode,
    keepsFiles,
    clock,
    log,
  }: BackgroundWorkDeps,
): Promise<BackgroundWork> {
  const { db, connection, recordingsDir, callFiles, bucket, unsavedRecords } = store;
  const { providers, fetch, toolServers } = outbound;
  const jobs = createJobs({ connection, log, soleNode });
  const afterCalls = createAfterCalls({
    db,
    schemas: toolServers.schemas,
    clock,
    jobs,
    providers,
    recordingsDir,
    files: callFiles,
    nodeId,
    fetch,
    traces,
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
    bucket,
    log,
  });
  const now = () => clock.now();
  const ledger = new DeletionLedger(deletedCallsDir);
  const removeUnsaved = (callId: string) => unsavedRecords.removeOfCall(callId);
  const files = { db, now, recordingsDir, files: callFiles, ledger, removeUnsaved };
  const testReader = new TestReader();
  const forgetInTests = (team: { readonly teamId: string }, signal: AbortSignal) =>
    forgetDeletedCalls({ db, reader: testReader }, team, signal);
  jobs.work(removeCallFilesJob, createRemoveCallFiles({ ...files, jobs, forgetInTests }));
  const encryptFiles = { db, now, jobs, files: callFiles, recordingsDir, log };
  jobs.work(encryptFilesJob, createEncryptFiles(encryptFiles));
  jobs.work(deleteAgainJob, createDeleteAgain({ db, now, jobs, ledger }));
  jobs.work(
    sweepRetentionJob,
    createSweepRetention({ db, now, jobs, recordingsDir, files: callFiles }),
    {
      cron: SWEEP_RETENTION_CRON,
    },
  );
  const deleteTeam = createDeleteTeam({
    wait: (ms, signal) => delay(ms, undefined, { signal }),
    db,
    files,
    removeFile: (id) => knowledge.fileStorage.remove(id),
    removeUnsaved: (teamId) => unsavedRecords.removeOfTeam(teamId),
  });
  jobs.work(deleteTeamJob, deleteTeam);
  const keeper =
    bucket && keepsFiles
      ? new FileKeeper({
          ...{ db, files: callFiles, bucket, recordingsDir, clock, log },
          keepFiles: (signal) => knowledge.keepFiles(signal),
        })
      : undefined;
  const testRuns = {
    ...{ db, clock, jobs, providers, prices, log },
    reader: testReader,
    knowledge: knowledge.search,
    toolFetch: toolServers.fetch,
    toolResponseBytes: toolServers.maxResponseBytes,
    schemas: toolServers.schemas,
    assistantSchema: assistantConfigSchema(providers.catalogue),
    vendorProblems: (assistant: AssistantConfig, team: string) =>
      providers.problemsOf(assistant, team),
    stopwatch: () => performance.now(),
    spokenThread: new URL('./spoken-tests-thread.ts', import.meta.url),
  };
  const runTests: JobHandler<RunOfTests> = async (run, attempt) => {
    const { createRunTests } = await import('../testing/run-job.ts');
    await createRunTests(testRuns)(run, attempt);
  };
  jobs.work(runTestsJob, runTests, { concurrency: TEST_RUNS_AT_ONCE });
  jobs.work(speakTestsJob, runTests);
  jobs.work(failedTestsJob, createTellFailedTests({ db, clock, fetch, log }));
  jobs.work(nightlyTestsJob, createNightlyTests(testRuns), { cron: NIGHTLY_TESTS_CRON });
  return {
    jobs,
    afterCalls,
    knowledge,
    testReader,
    async start() {
      await jobs.start();
      await jobs.send(db, deleteAgainJob, {}, { dedupeKey: 'start' });
      if (!encryptCalls) await reopenTeamKeys(db);
      for (const teamId of encryptCalls ? await listTeamsToEncrypt(db) : [])
        await jobs.send(db, encryptFilesJob, { teamId }, { dedupeKey: teamId });
      afterCalls.start();
      await knowledge.start();
      keeper?.start();
    },
    async close() {
      await keeper?.close();
      await afterCalls.stop();
      await jobs.stop(JOBS_GRACE_MS);
      testReader.close();
      await knowledge.close();
    },
  };
}
