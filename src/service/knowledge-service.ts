import type { Jobs } from '../jobs/jobs.ts';
import { createSiteCrawler } from '../knowledge/crawling/crawl-site.ts';
import { LocalFileStorage } from '../knowledge/local-file-storage.ts';
import { SemanticSearch } from '../knowledge/passages/semantic-search.ts';
import { FileReader } from '../knowledge/reading/file-reader.ts';
import { RETRAIN_JOB, sendTraining, TRAIN_JOB } from '../knowledge/training/train-job.ts';
import { trainKnowledgeBase } from '../knowledge/training/train-knowledge-base.ts';
import type { OutboundFetch } from '../lib/guarded-fetch.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Log } from '../ports/log.ts';
import type { Db } from '../store/db.ts';
import { knownFileIds } from '../store/files.ts';
import { findNeglected, queueDueForRetraining } from '../store/knowledge-training.ts';

interface KnowledgeServiceDeps {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly filesDir: string;
  /** To the pages that users name. */
  readonly fetch: OutboundFetch;
  readonly embedder: Embedder | undefined;
  readonly log: Log;
}

/** What keeps and reads the files that knowledge bases are made of, and trains them. */
export interface KnowledgeService {
  readonly fileStorage: LocalFileStorage;
  readonly fileReader: FileReader;
  /** Where an embedder is configured. */
  readonly semanticSearch: SemanticSearch | undefined;
  /** Sees to it that what waits to be trained is; once the jobs have started. */
  start(): Promise<void>;
  close(): void;
}

const EVERY_MINUTE = '* * * * *';
const NEGLECTED_AFTER_MS = 2 * 60_000;
const TRAINED_AT_ONCE = 2;

/** Opens the file storage, forgets what a killed process left in it, and says who trains; before the jobs start. */
export async function openKnowledge(deps: KnowledgeServiceDeps): Promise<KnowledgeService> {
  const { db, jobs, log, fetch, embedder } = deps;
  const storage = await LocalFileStorage.open(deps.filesDir);
  const removed = await storage.sweep((ids) => knownFileIds(db, ids), Date.now());
  if (removed > 0) log.info({ removed }, 'files without an owner were removed');
  const fileReader = new FileReader();
  const crawl = createSiteCrawler({ fetch, fileReader });
  const training = { db, jobs, storage, fileReader, crawl, embedder, log };
  jobs.work(TRAIN_JOB, (due, attempt) => trainKnowledgeBase(training, due, attempt), {
    concurrency: TRAINED_AT_ONCE,
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
    { cron: EVERY_MINUTE },
  );
  return {
    fileStorage: storage,
    fileReader,
    semanticSearch: embedder && new SemanticSearch({ embedder, log }),
    start: () => sendNeglected(new Date()),
    close: () => fileReader.close(),
  };
}
