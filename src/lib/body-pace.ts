/** Limits on how slowly a body may arrive. */
export interface PaceLimits {
  /** At a lower rate, the remaining patience shrinks. @defaultValue 4096 */
  readonly minBytesPerSecond: number;
  /** How long a body may stall, in ms. @defaultValue 20000 */
  readonly patienceMs: number;
}

export const paceDefaults = {
  minBytesPerSecond: 4096,
  patienceMs: 20_000,
} as const satisfies PaceLimits;

/** Detects bodies that arrive too slowly: time uses up patience, and bytes restore it, up to its initial value. */
export class BodyPace {
  readonly #limits: PaceLimits;
  #patienceMs: number;
  #bytes: number;
  #at: number;

  /** `bytes`: the initial value of the byte counter. */
  constructor(limits: PaceLimits, bytes: number, now: number) {
    this.#limits = limits;
    this.#patienceMs = limits.patienceMs;
    this.#bytes = bytes;
    this.#at = now;
  }

  /** True if the body arrives too slowly. `isAwaited` is false if nobody was reading: that time does not count. */
  isLate(bytes: number, now: number, isAwaited: boolean): boolean {
    const { minBytesPerSecond, patienceMs } = this.#limits;
    const earnedMs = ((bytes - this.#bytes) * 1000) / minBytesPerSecond;
    const spentMs = isAwaited ? now - this.#at : 0;
    this.#patienceMs = Math.min(patienceMs, this.#patienceMs + earnedMs - spentMs);
    this.#bytes = bytes;
    this.#at = now;
    return this.#patienceMs <= 0;
  }
}
