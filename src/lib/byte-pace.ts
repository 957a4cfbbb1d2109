/** How many bytes one party may bring. */
export interface ByteRate {
  readonly bytesPerSecond: number;
  /** Bytes at once after a quiet time. */
  readonly burstBytes: number;
}

/** Paces the bytes of each party: what is over its rate waits. */
export class BytePace {
  readonly #rate: ByteRate;
  readonly #now: () => number;
  /** When all that a party was granted will have been paid off; parties that have paid are dropped. */
  readonly #paidAt = new Map<string, number>();

  /** `now`: monotonic ms. */
  constructor(rate: ByteRate, now: () => number) {
    this.#rate = rate;
    this.#now = now;
  }

  /** The ms until the bytes may be used. They are granted unless that is longer than `longestWaitMs`. */
  take(party: string, bytes: number, longestWaitMs = Number.POSITIVE_INFINITY): number {
    const { bytesPerSecond, burstBytes } = this.#rate;
    const now = this.#now();
    for (const [other, paidAt] of this.#paidAt) if (paidAt <= now) this.#paidAt.delete(other);
    const paidAt = Math.max(now, this.#paidAt.get(party) ?? 0) + (1000 * bytes) / bytesPerSecond;
    const waitMs = Math.max(0, paidAt - now - (1000 * burstBytes) / bytesPerSecond);
    if (waitMs <= longestWaitMs) this.#paidAt.set(party, paidAt);
    return waitMs;
  }
}
