import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { fromDrizzle, type JobWithMetadata, PgBoss } from 'pg-boss';
import { uuidv7 } from '../lib/ids.ts';
import type { Log } from '../ports/log.ts';
import { type Connection, connectionConfig } from '../store/pool.ts';
import type { JobHandler, JobKind, JobSender } from './job-sender.ts';
import { limitedWarnings } from './limited-warnings.ts';

export const SCHEMA = 'jobs';
const CONNECTIONS = 3;
/** A job whose process sends no heartbeat for this long goes to another process. */
const HEARTBEAT_SECONDS = 20;
const SUPERVISE_SECONDS = 20;
const POLL_SECONDS = 5;
/** Time for handlers to finish after their signal has aborted. */
const STOPPING_MS = 5_000;
const KEEP_DONE_SECONDS = 24 * 3600;
const DEFAULT_MAX_RETRY_DELAY_MS = 3600_000;

export interface WorkOptions {
  /** Jobs of the kind at once in this process. @defaultValue 1 */
  readonly concurrency?: number;
  /**
   * Concurrent jobs of one team on all nodes, or of one key where no team is named. Workers that look at the same
   * instant may exceed it by one each. @defaultValue 1
   */
  readonly perTeam?: number;
  /** Creates a job without data at each time of this cron expression (UTC), on one node only. */
  readonly cron?: string;
}

/** Durable background work on the queue in the database: at least once, on any node. */
export interface Jobs extends JobSender {
  /** Registers the handler of a kind; call it before `start`. */
  work<Data extends object>(
    kind: JobKind<Data>,
    handler: JobHandler<Data>,
    options?: WorkOptions,
  ): void;
  /** Idempotent. */
  start(): Promise<void>;
  /** Lets running jobs finish within `graceMs`, then aborts them for a retry. Idempotent. */
  stop(graceMs: number): Promise<void>;
  /** The number of jobs of each kind, by state. */
  counts(): Promise<readonly JobCounts[]>;
}

export interface JobCounts {
  readonly kind: string;
  readonly waiting: number;
  readonly active: number;
  readonly failed: number;
  /** How long the oldest waiting job has been due, in seconds. */
  readonly dueSeconds: number;
}

interface Worker {
  readonly kind: JobKind<object>;
  readonly handler: JobHandler<object>;
  readonly options: WorkOptions;
}

interface JobsDeps {
  readonly connection: Connection;
  readonly log: Log;
  /** True if no other process runs jobs of this database: jobs claimed by an earlier process are free at once. */
  readonly soleNode: boolean;
  /** A notification wakes a worker at once; polling finds jobs whose start time has come. @defaultValue 5 */
  readonly pollSeconds?: number;
}

/** Creates the queue; it connects in `start`. */
export function createJobs({
  connection,
  log,
  soleNode,
  pollSeconds = POLL_SECONDS,
}: JobsDeps): Jobs {
  const boss = new PgBoss({
    ...connectionConfig(connection),
    schema: SCHEMA,
    max: CONNECTIONS,
    useListenNotify: true,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  const warn = limitedWarnings(log);
  boss.on('error', (error) => warn('the job queue met an error', error));
  boss.on('warning', ({ message, data }) => log.debug({ data }, message));
  const workers: Worker[] = [];
  const running = new Set<Promise<void>>();
  let starting: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;

  async function start(): Promise<void> {
    await boss.start();
    for (const worker of workers) {
      await declareQueue(boss, worker.kind);
      if (soleNode) await releaseAbandoned(boss, worker.kind);
      await beginWork(boss, worker, pollSeconds, (job) => {
        const done = doJob(job, worker, log).finally(() => running.delete(done));
        running.add(done);
        return done;
      });
    }
  }

  async function stop(graceMs: number): Promise<void> {
    if (!starting) return;
    await starting.catch(() => undefined);
    await boss.stop({ graceful: graceMs > 0, timeout: graceMs });
    await Promise.race([
      Promise.allSettled(running),
      delay(STOPPING_MS, undefined, { ref: false }),
    ]);
  }

  return {
    work(kind, handler, options = {}) {
      if (starting) throw new Error(`${kind.name}: workers are registered before the start`);
      workers.push({ kind, handler: handler as JobHandler<object>, options });
    },
    async send(db, kind, data, { dedupeKey, team, startAfter, priority } = {}) {
      const group = team ?? dedupeKey;
      const id = await boss.send(kind.name, data, {
        db: fromDrizzle(db, sql),
        // The queue's policy keeps one waiting job per key. The group (the team or the key) limits the running jobs.
        singletonKey: dedupeKey ?? uuidv7(),
        ...(group === undefined ? {} : { group: { id: group } }),
        ...(startAfter ? { startAfter } : {}),
        ...(priority === undefined ? {} : { priority }),
      });
      return id !== null;
    },
    start() {
      starting ??= start();
      return starting;
    },
    stop(graceMs) {
      stopping ??= stop(graceMs);
      return stopping;
    },
    counts: () =>
      countJobs(
        boss,
        workers.map(({ kind }) => kind.name),
      ),
  };
}

async function declareQueue(boss: PgBoss, kind: JobKind<object>): Promise<void> {
  const options = {
    expireInSeconds: Math.max(1, Math.ceil(kind.timeoutMs / 1000)),
    retryLimit: kind.retries,
    retryDelay: Math.max(1, Math.round(kind.retryDelayMs / 1000)),
    retryBackoff: true,
    retryDelayMax: Math.ceil((kind.maxRetryDelayMs ?? DEFAULT_MAX_RETRY_DELAY_MS) / 1000),
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: KEEP_DONE_SECONDS,
    notify: true,
  };
  await boss.createQueue(kind.name, { ...options, policy: 'short' });
  // A queue created by an earlier version may have other options.
  await boss.updateQueue(kind.name, options);
}

/** Frees the jobs that a killed process was running; each has used up an attempt. */
async function releaseAbandoned(boss: PgBoss, kind: JobKind<object>): Promise<void> {
  const { rows } = await boss
    .getDb()
    .executeSql(`select id from ${SCHEMA}.job where name = $1 and state = 'active'`, [kind.name]);
  const ids = rows.map((row: { id: string }) => row.id);
  if (ids.length === 0) return;
  await boss.fail(kind.name, ids, { message: 'the process that worked on it is gone' });
  for (const id of ids) await boss.update(kind.name, undefined, { id, startAfter: new Date() });
}

/** Counts the table itself: the queue's own figures can be one supervision interval old. */
async function countJobs(boss: PgBoss, kinds: readonly string[]): Promise<readonly JobCounts[]> {
  const { rows } = await boss.getDb().executeSql(
    `select kind,
      count(job.id) filter (where state in ('created', 'retry'))::int as waiting,
      count(job.id) filter (where state = 'active')::int as active,
      count(job.id) filter (where state = 'failed')::int as failed,
      greatest(extract(epoch from now() - min(start_after) filter (where state in ('created', 'retry'))), 0)::int as "dueSeconds"
    from unnest($1::text[]) as kind left join ${SCHEMA}.job on job.name = kind
    group by kind order by kind`,
    [kinds],
  );
  return rows as JobCounts[];
}

async function doJob(
  job: JobWithMetadata<object>,
  { kind, handler }: Worker,
  log: Log,
): Promise<void> {
  const { signal, retryCount, retryLimit } = job;
  const attempt = { signal, number: retryCount + 1, last: retryCount >= retryLimit };
  try {
    await handler(job.data ?? {}, attempt);
    // An aborted job is not done, even if its handler returned normally.
    signal.throwIfAborted();
  } catch (error) {
    const fields = { job: kind.name, jobId: job.id, attempt: attempt.number, err: error };
    if (attempt.last) log.error(fields, 'a job failed for good');
    else if (!signal.aborted) log.warn(fields, 'a job failed and will be tried again');
    throw error;
  }
}

async function beginWork(
  boss: PgBoss,
  { kind, options }: Worker,
  pollSeconds: number,
  doOne: (job: JobWithMetadata<object>) => Promise<void>,
): Promise<void> {
  const settings = {
    includeMetadata: true,
    groupConcurrency: options.perTeam ?? 1,
    pollingIntervalSeconds: pollSeconds,
    notifyPollingIntervalSeconds: pollSeconds,
  } as const;
  for (let i = 0; i < (options.concurrency ?? 1); i++) {
    let id: string | undefined;
    id = await boss.work<object, void, typeof settings>(kind.name, settings, async (jobs) => {
      try {
        for (const job of jobs as JobWithMetadata<object>[]) await doOne(job);
      } finally {
        // Where one job waited, more may: without this the worker sleeps until it polls again.
        if (id !== undefined) boss.notifyWorker(id);
      }
    });
  }
  if (options.cron) await boss.schedule(kind.name, options.cron, {}, { singletonKey: 'cron' });
}
