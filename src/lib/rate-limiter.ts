/** Limits on the requests of one party. */
export interface RateLimit {
  /** Sustained rate. */
  readonly perSecond: number;
  /** Requests at once after a quiet time. */
  readonly burst: number;
}

const MAX_PARTIES = 10_000;

/** Limits the rate of each party with a leaky bucket, stored as the time at which it will be empty. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #now: () => number;
  // Least recently used first: the party that has been quiet longest is dropped.
  readonly #emptyAt = new Map<string, number>();

  constructor(limit: RateLimit, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Returns 0 if the request may pass, else the ms until it may be tried again. `own`: the party's own limit. */
  take(party: string, own: RateLimit = this.#limit): number {
    const intervalMs = 1000 / own.perSecond;
    const toleranceMs = intervalMs * (own.burst - 1);
    const now = this.#now();
    // The limit may have been raised since the bucket was filled.
    const fullAt = now + toleranceMs + intervalMs;
    const emptyAt = Math.min(Math.max(this.#emptyAt.get(party) ?? 0, now), fullAt);
    const waitMs = emptyAt - now - toleranceMs;
    if (waitMs > 0) return waitMs;
    this.#emptyAt.delete(party);
    this.#emptyAt.set(party, emptyAt + intervalMs);
    if (this.#emptyAt.size > MAX_PARTIES) {
      const [quietest] = this.#emptyAt.keys();
      if (quietest !== undefined) this.#emptyAt.delete(quietest);
    }
    return 0;
  }
}
