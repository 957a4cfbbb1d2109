/** How often one party may come. */
export interface RateLimit {
  /** Sustained. */
  readonly perSecond: number;
  /** At once, after a quiet while. */
  readonly burst: number;
}

const MAX_PARTIES = 10_000;

/** Spaces out the requests of each party: a leaky bucket kept as the instant at which it will be empty. */
export class RateLimiter {
  readonly #intervalMs: number;
  readonly #toleranceMs: number;
  readonly #now: () => number;
  // Oldest use first: who is dropped has been quiet longest.
  readonly #emptyAt = new Map<string, number>();

  constructor({ perSecond, burst }: RateLimit, now: () => number) {
    this.#intervalMs = 1000 / perSecond;
    this.#toleranceMs = this.#intervalMs * (burst - 1);
    this.#now = now;
  }

  /** 0 when the request may pass, else the ms after which it may be tried again. */
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
