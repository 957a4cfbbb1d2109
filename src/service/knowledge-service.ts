import type { Jobs } from '../jobs/jobs.ts';
import { BucketFileStorage } from '../knowledge/bucket-file-storage.ts';
import { createSiteCrawler } from '../knowledge/crawling/crawl-site.ts';
import { INDEX_FORMAT } from '../knowledge/indexing/index-format.ts';
import { LocalFileStorage } from '../knowledge/local-file-storage.ts';
import { FileReader } from '../knowledge/reading/file-reader.ts';
import { SearchService } from '../knowledge/search/search-service.ts';
import type { KeptPassages } from '../knowledge/training/keep-passages.ts';
import { KeepService } from '../knowledge/training/keep-service.ts';
import { READER_VERSION } from '../knowledge/training/sources.ts';
import { RETRAIN_JOB, sendTraining, TRAIN_JOB } from '../knowledge/training/train-job.ts';
import { trainKnowledgeBase } from '../knowledge/training/train-knowledge-base.ts';
import { ComputeError } from '../lib/compute-pool.ts';
import type { OutboundFetch } from '../lib/guarded-fetch.ts';
import type { IdleRule } from '../lib/idle-end.ts';
import type { Bucket } from '../ports/bucket.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { FileStorage } from '../ports/file-storage.ts';
import type { Log } from '../ports/log.ts';
import type { Db } from '../store/db.ts';
import { knownFileIds } from '../store/files.ts';
import { findUnindexed } from '../store/knowledge-lookup.ts';
import {
  findNeglected,
  queueDueForRetraining,
  queueReadByOlder,
} from '../store/knowledge-training.ts';
import type { Connection } from '../store/pool.ts';

interface KnowledgeServiceDeps {
  readonly db: Db;
  /** For the threads that search and those that save passages. */
  readonly connection: Connection;
  readonly jobs: Jobs;
  readonly filesDir: string;
  /** Fetches the pages of websites. */
  readonly fetch: OutboundFetch;
  readonly embedder: Embedder | undefined;
  readonly idle: IdleRule;
  /** Where files are kept (default: on disk). */
  readonly bucket: Bucket | undefined;
  readonly log: Log;
}

/** Stores and reads the files of knowledge bases, trains the bases and searches them. */
export interface KnowledgeService {
  readonly fileStorage: FileStorage;
  readonly fileReader: FileReader;
  readonly search: SearchService;
  /** Brings files from this disk to the bucket, if there is one. */
  keepFiles(signal: AbortSignal): Promise<void>;
  /** Queues the trainings that are due. Call it after the jobs have started. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const RETRAIN_CRON = '* * * * *';
/** A training without progress for this long is queued again. */
const NEGLECTED_AFTER_MS = 2 * 60_000;
/** Trainings at once in this process. */
const TRAINING_CONCURRENCY = 2;

/** Opens the file storage, removes files without an owner and registers the training jobs. Call it before they start. */
export async function openKnowledge(deps: KnowledgeServiceDeps): Promise<KnowledgeService> {
  const { db, connection, jobs, log, fetch, embedder } = deps;
  const local = await LocalFileStorage.open(deps.filesDir);
  const { bucket } = deps;
  const kept = bucket && new BucketFileStorage({ local, bucket, log });
  const storage: FileStorage = kept ?? local;
  const removed = await local.sweep((ids) => knownFileIds(db, ids), Date.now());
  if (removed > 0) log.info({ removed }, 'files without an owner were removed');
  const fileReader = new FileReader();
  const crawl = createSiteCrawler({ fetch, fileReader });
  const keeper = new KeepService(connection);
  const search = new SearchService({ connection, embedder, idle: deps.idle, log });
  const keep = (kept: KeptPassages) => keeper.keep(kept);
  const training = { db, jobs, storage, fileReader, crawl, embedder, keep, log };
  jobs.work(TRAIN_JOB, (due, attempt) => trainKnowledgeBase(training, due, attempt), {
    concurrency: TRAINING_CONCURRENCY,
  });
  const sendNeglected = async (before: Date) => {
    for (const due of await findNeglected(db, { before })) await sendTraining(jobs, db, due);
  };
  jobs.work(
    RETRAIN_JOB,
    async () => {
      await db.transaction(async (tx) => {
        for (const due of await queueDueForRetraining(tx)) await sendTraining(jobs, tx, due);
      });
      await sendNeglected(new Date(Date.now() - NEGLECTED_AFTER_MS));
    },
    { cron: RETRAIN_CRON },
  );
  return {
    fileStorage: storage,
    keepFiles: async (signal) =>
      kept?.keepAll((ids) => knownFileIds(db, ids), { signal, now: Date.now() }),
    fileReader,
    search,
    async start() {
      await sendNeglected(new Date());
      await db.transaction(async (tx) => {
        for (const due of await queueReadByOlder(tx, { readerVersion: READER_VERSION }))
          await sendTraining(jobs, tx, due);
      });
      void indexOutdated(deps, keeper);
    },
    async close() {
      search.close();
      keeper.close();
      await fileReader.close();
    },
  };
}

const INDEX_PAGE_SIZE = 100;

/** Rebuilds, one by one, the indexes that another version has built; a search rebuilds those that it needs itself. */
async function indexOutdated(
  { db, log }: Pick<KnowledgeServiceDeps, 'db' | 'log'>,
  keeper: KeepService,
): Promise<void> {
  try {
    for (let after = ''; ; ) {
      const segments = await findUnindexed(db, {
        format: INDEX_FORMAT,
        after,
        limit: INDEX_PAGE_SIZE,
      });
      after = segments.at(-1)?.id ?? after;
      for (const { id } of segments) await keeper.index(id);
      if (segments.length > 0)
        log.info({ segments: segments.length }, 'indexes of another version were rebuilt');
      if (segments.length < INDEX_PAGE_SIZE) return;
    }
  } catch (error) {
    if (!(error instanceof ComputeError && error.code === 'closed'))
      log.warn({ err: error }, 'indexes of another version wait for the next start');
  }
}
