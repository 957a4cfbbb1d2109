import type { Db } from '../store/db.ts';

/** One kind of durable work and what holds for each of its jobs. */
export interface JobKind<Data extends object> {
  /** Stable: jobs of a former version may still wait under it. */
  readonly name: string;
  /** For one attempt; then its signal fires and the attempt counts as failed. */
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
  /** One job at a time waits under a key, and one runs: a send while one waits changes nothing. */
  readonly dedupeKey?: string;
  /** Whose job it is: teams share the workers. @defaultValue the key */
  readonly team?: string;
  /** @defaultValue at once */
  readonly startAfter?: Date;
  /** The higher goes first. @defaultValue 0 */
  readonly priority?: number;
}

/** Puts durable work on the queue of the database. */
export interface JobSender {
  /** Within a transaction, the job is there if and only if that commits. False: one waits already. */
  send<Data extends object>(
    db: Db,
    kind: JobKind<Data>,
    data: Data,
    options?: SendJobOptions,
  ): Promise<boolean>;
}

export interface JobAttempt {
  /** Fires at the deadline of the attempt and when the service stops; the job is then tried again. */
  readonly signal: AbortSignal;
  /** From 1. */
  readonly number: number;
  /** A failure now is final. */
  readonly last: boolean;
}

/** Does one job; may run more than once for it, and must not mind. */
export type JobHandler<Data extends object> = (data: Data, attempt: JobAttempt) => Promise<void>;
