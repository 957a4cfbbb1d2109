import type { JobKind, JobSender } from '../../jobs/job-sender.ts';
import type { Db } from '../../store/db.ts';
import type { TrainingDue } from '../../store/knowledge-training.ts';

/** Trains one knowledge base. */
export const TRAIN_JOB: JobKind<TrainingDue> = {
  name: 'train-knowledge-base',
  timeoutMs: 2 * 3600_000,
  retries: 5,
  retryDelayMs: 5_000,
  maxRetryDelayMs: 5 * 60_000,
};

/** Finds bases that are due to be trained again. */
export const RETRAIN_JOB: JobKind<Record<never, never>> = {
  name: 'retrain-knowledge-bases',
  timeoutMs: 60_000,
  retries: 0,
  retryDelayMs: 1_000,
};

/** Sends the training job of a queued base, within the transaction that queued it. */
export async function sendTraining(jobs: JobSender, db: Db, due: TrainingDue): Promise<void> {
  await jobs.send(db, TRAIN_JOB, due, {
    dedupeKey: due.knowledgeBaseId,
    team: due.teamId,
  });
}
