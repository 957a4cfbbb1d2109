import type { Db } from '../store/db.ts';

/** A kind of durable job, with the limits for each job. */
export interface JobKind<Data extends object> {
  /** Stable: jobs of an earlier version may still be queued under it. */
  readonly name: string;
  /** For one attempt: afterwards its signal aborts and the attempt counts as failed. */
  readonly timeoutMs: number;
  /** Attempts after the first failed one. */
  readonly retries: number;
  /** Pause before the first retry; it doubles, with jitter, up to {@link maxRetryDelayMs}. */
  readonly retryDelayMs: number;
  /** @defaultValue an hour */
  readonly maxRetryDelayMs?: number;
  /** Only ties the type of the data to the kind. */
  readonly data?: Data;
}

export interface SendJobOptions {
  /** At most one job waits and one runs per key: a send while one waits does nothing. */
  readonly dedupeKey?: string;
  /** The team that the job belongs to: teams share the workers fairly. @defaultValue the key */
  readonly team?: string;
  /** @defaultValue at once */
  readonly startAfter?: Date;
  /** Higher goes first. @defaultValue 0 */
  readonly priority?: number;
}

/** Puts durable work on the queue of the database. */
export interface JobSender {
  /** Within a transaction, the job exists if and only if the transaction commits. False: one is already waiting. */
  send<Data extends object>(
    db: Db,
    kind: JobKind<Data>,
    data: Data,
    options?: SendJobOptions,
  ): Promise<boolean>;
}

export interface JobAttempt {
  /** Aborts at the deadline of the attempt and when the service stops; the job is then retried. */
  readonly signal: AbortSignal;
  /** From 1. */
  readonly number: number;
  /** True if a failure now is final. */
  readonly last: boolean;
}

/** Runs one job. A job may run more than once, so the handler must be idempotent. */
export type JobHandler<Data extends object> = (data: Data, attempt: JobAttempt) => Promise<void>;
