import type { OutboundFetch } from '../lib/guarded-fetch.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { TraceHeaders } from '../ports/tracing.ts';
import { findCallOfAnyTeam } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import {
  claimDeliveries,
  type Delivery,
  releaseDelivery,
  settleAttempt,
} from '../store/due-deliveries.ts';
import { attemptDelivery, type DeliveryOutcome } from './attempt-delivery.ts';
import { webhookRequest } from './request-of.ts';
import { retryDelayMs } from './retry-delay.ts';

export interface DispatcherDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly fetch: OutboundFetch;
  readonly log: Log;
  /** This process among those that send for the database: what it was sending is free once it is removed as dead. */
  readonly nodeId: string;
  /** Absent: messages belong to no trace. */
  readonly traceHeaders?: TraceHeaders | undefined;
  /** 0 to 1; spreads the retries. */
  readonly random: () => number;
}

/**
 * Concurrent deliveries of this process: in total, per team and per origin. A slow receiver must not stop the others.
 */
const MAX_AT_WORK = 128;
const MAX_PER_TEAM = 32;
const MAX_PER_ORIGIN = 16;
/** Longest pause before polling for messages from other nodes or after a lost nudge. */
const POLL_MS = 5_000;
/** Pause after a failure of the store. */
const PAUSE_MS = 1_000;
/** Longer than the longest timeout of a server, so no lease expires during an attempt. */
const LEASE_MS = 330_000;

interface AtWork {
  readonly teamId: string;
  readonly origin: string;
  readonly done: Promise<void>;
}

/** Delivers due messages to users' servers: in order within a call, otherwise in parallel up to the limits. */
export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #atWork = new Map<string, AtWork>();
  readonly #stopping = new AbortController();
  #timer: Timer | undefined;
  #round: Promise<void> | undefined;
  #again = false;
  /** Time of the earliest retry scheduled by this process; polling finds the others. */
  #retryAt: number | undefined;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
  }

  /** Call it at the start, and when a message may be due. */
  nudge(): void {
    if (this.#stopping.signal.aborted) return;
    if (this.#round) {
      this.#again = true;
      return;
    }
    this.#cancelTimer();
    this.#round = this.#runRound().finally(() => {
      this.#round = undefined;
      if (this.#again) {
        this.#again = false;
        this.nudge();
      }
    });
  }

  /** Resolves when no delivery or poll is running. */
  async idle(): Promise<void> {
    while (this.#round || this.#atWork.size > 0) {
      await this.#round;
      await Promise.all([...this.#atWork.values()].map(({ done }) => done));
    }
  }

  /** Aborts running deliveries; the next process that sends retries them. Idempotent. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancelTimer();
    await this.idle();
  }

  async #runRound(): Promise<void> {
    const { db, clock, nodeId, log } = this.#deps;
    try {
      const limit = Math.min(MAX_AT_WORK - this.#atWork.size, MAX_PER_ORIGIN);
      const now = new Date(clock.now());
      const claimed =
        limit > 0
          ? await claimDeliveries(db, {
              now,
              leasedUntil: new Date(now.getTime() + LEASE_MS),
              nodeId,
              limit,
              busyOrigins: this.#busyKeys(MAX_PER_ORIGIN, ({ origin }) => origin),
              busyTeams: this.#busyKeys(MAX_PER_TEAM, ({ teamId }) => teamId),
            })
          : [];
      for (const delivery of claimed) this.#begin(delivery);
      // More may be due than one claim takes; what is behind these in their calls is due when they are done.
      if (claimed.length > 0 && claimed.length === limit) this.#again = true;
      else this.#sleepUntilDue();
    } catch (error) {
      log.warn({ err: error }, 'due webhooks could not be read');
      this.#sleep(PAUSE_MS);
    }
  }

  /** The keys with at least `limit` running deliveries. */
  #busyKeys(limit: number, keyOf: (work: AtWork) => string): string[] {
    const counts = new Map<string, number>();
    for (const work of this.#atWork.values())
      counts.set(keyOf(work), (counts.get(keyOf(work)) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= limit).map(([key]) => key);
  }

  #begin(delivery: Delivery): void {
    const { id, teamId, origin, callId } = delivery;
    const done = this.#deliver(delivery)
      .catch((error: unknown) =>
        this.#deps.log.warn({ err: error, callId, deliveryId: id }, 'a delivery was not settled'),
      )
      .finally(() => {
        this.#atWork.delete(id);
        this.nudge();
      });
    this.#atWork.set(id, { teamId, origin, done });
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const { db, nodeId } = this.#deps;
    const { id, callId } = delivery;
    const call = await findCallOfAnyTeam(db, { id: callId });
    if (!call) return;
    const { signal } = this.#stopping;
    const trace = this.#deps.traceHeaders?.({ callId });
    const result = await attemptDelivery(this.#deps, webhookRequest(delivery, call), {
      ...{ id, signal, trace },
    });
    // Aborted by the shutdown of this process: the result is unknown, so the next process sends the message again.
    if (signal.aborted && result.verdict !== 'delivered')
      return releaseDelivery(db, { id, nodeId });
    await this.#settle(delivery, result);
  }

  async #settle(
    delivery: Delivery,
    { verdict, outcome, retryAfterMs = 0 }: DeliveryOutcome,
  ): Promise<void> {
    const { clock, log, nodeId, random } = this.#deps;
    const { id, teamId, callId, kind, expiresAt } = delivery;
    const number = delivery.attempts + 1;
    const settled = { id, teamId, nodeId, number, outcome };
    if (verdict === 'delivered') return this.#keep({ ...settled, status: 'delivered' });
    const retryAt = clock.now() + Math.max(retryAfterMs, retryDelayMs(number, random));
    const { httpStatus, error } = outcome;
    const fields = { callId, deliveryId: id, kind, attempt: number, httpStatus, reason: error };
    if (verdict === 'failed' && retryAt <= expiresAt.getTime()) {
      log.debug(fields, 'a webhook was not delivered and will be sent again');
      this.#retryAt = Math.min(this.#retryAt ?? Infinity, retryAt);
      const nextAttemptAt = new Date(retryAt);
      return this.#keep({ ...settled, status: 'pending', nextAttemptAt });
    }
    log.warn(fields, 'a webhook could not be delivered and is given up');
    return this.#keep({ ...settled, status: 'dead' });
  }

  /** Waits for an unavailable store while the lease lasts: a delivered message must not be sent again. */
  async #keep(settled: Parameters<typeof settleAttempt>[1]): Promise<void> {
    const { db, clock } = this.#deps;
    const giveUpAt = clock.now() + LEASE_MS / 2;
    for (;;) {
      try {
        return await settleAttempt(db, settled);
      } catch (error) {
        if (this.#stopping.signal.aborted || clock.now() >= giveUpAt) throw error;
        await new Promise<void>((resolve) => clock.setTimeout(resolve, PAUSE_MS));
      }
    }
  }

  #sleepUntilDue(): void {
    const now = this.#deps.clock.now();
    if (this.#retryAt !== undefined && this.#retryAt <= now) this.#retryAt = undefined;
    this.#sleep(Math.min(POLL_MS, Math.max(1, (this.#retryAt ?? Infinity) - now)));
  }

  #sleep(delayMs: number): void {
    if (this.#stopping.signal.aborted) return;
    this.#cancelTimer();
    this.#timer = this.#deps.clock.setTimeout(() => {
      this.#timer = undefined;
      this.nudge();
    }, delayMs);
  }

  #cancelTimer(): void {
    if (this.#timer !== undefined) this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
