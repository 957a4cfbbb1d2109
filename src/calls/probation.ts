/** What calls that break the protocol of their media sockets lead to. */
export const probationDefaults = {
  /** So many in a row are nobody's fault but the client's. */
  brokenInARow: 5,
  /** After one more, the next call waits so long, and twice as long after each further one. */
  firstPauseMs: 1000,
  longestPauseMs: 30_000,
  /** Without another broken call, all are forgotten. */
  forgottenMs: 600_000,
} as const;

interface Course {
  readonly broken: number;
  readonly brokeAt: number;
  /** The next call may begin then. */
  readonly freeAt: number;
}

/**
 * Makes those wait whose calls broke the protocol too often in a row: until one of their calls has kept it, one call may
 * begin in each pause.
 */
export class Probation {
  readonly #now: () => number;
  /** Whose last broken call was longest ago comes first. */
  readonly #records = new Map<string, Course>();

  /** `now`: monotonic ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Ms until a call of the party may begin. */
  waitMs(party: string): number {
    const record = this.#records.get(party);
    return record ? Math.max(0, record.freeAt - this.#now()) : 0;
  }

  /** A call begins: further ones of somebody on probation wait. */
  began(party: string): void {
    this.#forget();
    const record = this.#records.get(party);
    if (record) this.#records.set(party, { ...record, freeAt: this.#freeAt(record.broken) });
  }

  broke(party: string): void {
    this.#forget();
    const broken = (this.#records.get(party)?.broken ?? 0) + 1;
    this.#records.delete(party);
    this.#records.set(party, { broken, brokeAt: this.#now(), freeAt: this.#freeAt(broken) });
  }

  kept(party: string): void {
    this.#records.delete(party);
  }

  #freeAt(broken: number): number {
    const { brokenInARow, firstPauseMs, longestPauseMs } = probationDefaults;
    const beyond = broken - brokenInARow;
    const pauseMs = beyond > 0 ? Math.min(longestPauseMs, firstPauseMs * 2 ** (beyond - 1)) : 0;
    return this.#now() + pauseMs;
  }

  #forget(): void {
    const before = this.#now() - probationDefaults.forgottenMs;
    for (const [party, { brokeAt }] of this.#records) {
      if (brokeAt > before) return;
      this.#records.delete(party);
    }
  }
}
