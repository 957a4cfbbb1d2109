import type { OutboundFetch } from '../lib/guarded-fetch.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { findCallOfAnyTeam } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import {
  claimDeliveries,
  type Delivery,
  releaseDeliveries,
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
  /** No other process sends for this database: what a former one had at work is free at once. */
  readonly soleNode: boolean;
  /** 0 to 1; spreads the retries. */
  readonly random: () => number;
}

/** Messages at work in this process: in all, of one team, to one target. A slow receiver must not stop the others. */
const MAX_AT_WORK = 128;
const MAX_PER_TEAM = 32;
const MAX_PER_ORIGIN = 16;
/** Longest silence before looking for what other nodes, or a lost nudge, have left. */
const POLL_MS = 5_000;
/** After the store failed. */
const PAUSE_MS = 1_000;
/** Beyond the longest time-out a server may have, so that no lease ends under a try. */
const LEASE_MS = 330_000;

interface AtWork {
  readonly teamId: string;
  readonly origin: string;
  readonly done: Promise<void>;
}

/** Sends what is due to users' servers: in order within a call, apart from that as much at once as allowed. */
export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #atWork = new Map<string, AtWork>();
  readonly #stopping = new AbortController();
  #timer: Timer | undefined;
  #round: Promise<void> | undefined;
  #again = false;
  /** When the next try is due of those that this process put off; polling finds the others. */
  #retryAt: number | undefined;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    if (this.#deps.soleNode) await releaseDeliveries(this.#deps.db);
    this.nudge();
  }

  /** Something may be due. */
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

  /** Resolves when nothing is at work or being looked for. */
  async idle(): Promise<void> {
    while (this.#round || this.#atWork.size > 0) {
      await this.#round;
      await Promise.all([...this.#atWork.values()].map(({ done }) => done));
    }
  }

  /** Cuts short what is at work: it is tried again by whoever sends next. Idempotent. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancelTimer();
    await this.idle();
  }

  async #runRound(): Promise<void> {
    const { db, clock, log } = this.#deps;
    try {
      const room = MAX_AT_WORK - this.#atWork.size;
      const now = new Date(clock.now());
      const claimed =
        room > 0
          ? await claimDeliveries(db, {
              now,
              leasedUntil: new Date(now.getTime() + LEASE_MS),
              limit: Math.min(room, MAX_PER_ORIGIN),
              busyOrigins: this.#having(MAX_PER_ORIGIN, ({ origin }) => origin),
              busyTeams: this.#having(MAX_PER_TEAM, ({ teamId }) => teamId),
            })
          : [];
      for (const delivery of claimed) this.#begin(delivery);
      // More may be due than one claim takes.
      if (claimed.length > 0) this.#again = true;
      else this.#sleepUntilDue();
    } catch (error) {
      log.warn({ err: error }, 'looking for messages to deliver failed');
      this.#sleep(PAUSE_MS);
    }
  }

  /** Those who have at least so much at work. */
  #having(most: number, whoOf: (work: AtWork) => string): string[] {
    const counts = new Map<string, number>();
    for (const work of this.#atWork.values())
      counts.set(whoOf(work), (counts.get(whoOf(work)) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= most).map(([who]) => who);
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
    const { db } = this.#deps;
    const { id, callId } = delivery;
    const call = await findCallOfAnyTeam(db, { id: callId });
    if (!call) return;
    const { signal } = this.#stopping;
    const result = await attemptDelivery(this.#deps, webhookRequest(delivery, call), {
      id,
      signal,
    });
    // Cut short by the end of this process: nothing is known, and the next one sends it again.
    if (signal.aborted && result.verdict !== 'delivered') return releaseDelivery(db, { id });
    await this.#settle(delivery, result);
  }

  async #settle(
    delivery: Delivery,
    { verdict, outcome, retryAfterMs = 0 }: DeliveryOutcome,
  ): Promise<void> {
    const { clock, log, random } = this.#deps;
    const { id, callId, kind, expiresAt } = delivery;
    const number = delivery.attempts + 1;
    const settled = { id, number, outcome };
    if (verdict === 'delivered') return this.#keep({ ...settled, status: 'delivered' });
    const retryAt = clock.now() + Math.max(retryAfterMs, retryDelayMs(number, random));
    const { httpStatus, error } = outcome;
    const fields = { callId, deliveryId: id, kind, attempt: number, httpStatus, reason: error };
    if (verdict === 'failed' && retryAt <= expiresAt.getTime()) {
      log.debug(fields, 'a message was not delivered and will be sent again');
      this.#retryAt = Math.min(this.#retryAt ?? Infinity, retryAt);
      const nextAttemptAt = new Date(retryAt);
      return this.#keep({ ...settled, status: 'pending', nextAttemptAt });
    }
    log.warn(fields, 'a message could not be delivered and is given up');
    return this.#keep({ ...settled, status: 'dead' });
  }

  /** A store that is away is waited for while the lease holds: what arrived must not be sent again. */
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
