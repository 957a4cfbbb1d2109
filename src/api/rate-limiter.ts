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
  readonly #intervalMs: number;
  readonly #toleranceMs: number;
  readonly #now: () => number;
  // Least recently used first: the party that has been quiet longest is dropped.
  readonly #emptyAt = new Map<string, number>();

  constructor({ perSecond, burst }: RateLimit, now: () => number) {
    this.#intervalMs = 1000 / perSecond;
    this.#toleranceMs = this.#intervalMs * (burst - 1);
    this.#now = now;
  }

  /** Returns 0 if the request may pass, else the ms until it may be tried again. */
  take(party: string): number {
    const now = this.#now();
    const emptyAt = Math.max(this.#emptyAt.get(party) ?? 0, now);
    const waitMs = emptyAt - now - this.#toleranceMs;
    if (waitMs > 0) return waitMs;
    this.#emptyAt.delete(party);
    this.#emptyAt.set(party, emptyAt + this.#intervalMs);
    if (this.#emptyAt.size > MAX_PARTIES) {
      const [quietest] = this.#emptyAt.keys();
      if (quietest !== undefined) this.#emptyAt.delete(quietest);
    }
    return 0;
  }
}
