/** An opaque timer. */
export type Timer = unknown;

/** Time for the engine. */
export interface Clock {
  /** Milliseconds since the epoch; never goes backwards. */
  now(): number;
  setTimeout(callback: () => void, delayMs: number): Timer;
  clearTimeout(timer: Timer): void;
}
