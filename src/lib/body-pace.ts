/** How slowly a body may come. */
export interface PaceLimits {
  /** Below this rate, patience is used up. @defaultValue 4096 */
  readonly minBytesPerSecond: number;
  /** How long nothing may come. @defaultValue 20000 */
  readonly patienceMs: number;
}

export const paceDefaults = {
  minBytesPerSecond: 4096,
  patienceMs: 20_000,
} as const satisfies PaceLimits;

/** Judges whether a body keeps coming: time uses up patience, bytes restore it, and it never grows beyond its start. */
export class BodyPace {
  readonly #limits: PaceLimits;
  #patienceMs: number;
  #bytes: number;
  #at: number;

  /** `bytes`: the counter's state at the beginning. */
  constructor(limits: PaceLimits, bytes: number, now: number) {
    this.#limits = limits;
    this.#patienceMs = limits.patienceMs;
    this.#bytes = bytes;
    this.#at = now;
  }

  /** Whether it comes too slowly. Time in which nobody read is not the sender's: `isAwaited` is false then. */
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
