/** An opaque timer. */
export type Timer = unknown;

/** Time for the engine. Structurally also what xstate takes as its `clock`. */
export interface Clock {
  /** Milliseconds since the epoch; never goes backwards. */
  now(): number;
  setTimeout(callback: () => void, delayMs: number): Timer;
  clearTimeout(timer: Timer): void;
}
