import { rmsDb } from '../../audio/level.ts';

interface Deps {
  readonly sampleRateHz: number;
  /** Audio quieter than this (dB) can change no decision now; undefined: any audio may. Read after each batch. */
  readonly quietBelowDb: () => number | undefined;
  /** How much audio (ms) can still come before it changes a decision. Read after each batch. */
  readonly undecidedMs: () => number;
  /** Receives audio that ended at this clock instant; the array is reused afterwards. */
  readonly onAudio: (pcm: Int16Array, endedAt: number) => void;
}

/** Longest batch. */
const BATCH_MS = 100;
/** A longer pause between two frames ends the batch. */
const GAP_MS = 60;

/**
 * Batches frames that cannot change a decision (silence, incomplete windows of the voice activity detector) to save
 * cache misses; at most 100 ms. A frame that may change one is passed on at once, together with those held before it.
 */
export class FrameBatcher {
  readonly #deps: Deps;
  readonly #samplesPerMs: number;
  readonly #held: Int16Array;
  #filled = 0;
  /** When the held audio began: the earliest start that any of its frames' arrivals implies, so jitter adds no delay. */
  #startedAt = 0;
  #lastAt = 0;
  #quietBelowDb: number | undefined;
  #undecided = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#samplesPerMs = deps.sampleRateHz / 1000;
    this.#held = new Int16Array(BATCH_MS * this.#samplesPerMs);
  }

  /** Takes audio that arrived at `now`; the array may be reused afterwards. */
  write(pcm: Int16Array, now: number): void {
    const { length } = this.#held;
    const quietBelowDb = this.#quietBelowDb;
    const room = quietBelowDb !== undefined && rmsDb(pcm) < quietBelowDb ? length : this.#undecided;
    if (now - this.#lastAt > GAP_MS || this.#filled + pcm.length > length) this.flush();
    if (this.#filled === 0 && pcm.length >= room) {
      this.#pass(pcm, now);
      return;
    }
    this.#batcher(pcm, now);
    if (this.#filled >= room) this.flush();
  }

  /** Passes on the held frames. */
  flush(): void {
    if (this.#filled === 0) return;
    const held = this.#held;
    const pcm = this.#filled === held.length ? held : held.subarray(0, this.#filled);
    this.#filled = 0;
    this.#pass(pcm, this.#startedAt + pcm.length / this.#samplesPerMs);
  }

  #batcher(pcm: Int16Array, now: number): void {
    const isFirst = this.#filled === 0;
    this.#held.set(pcm, this.#filled);
    this.#filled += pcm.length;
    const startedAt = now - this.#filled / this.#samplesPerMs;
    this.#startedAt = isFirst ? startedAt : Math.min(this.#startedAt, startedAt);
    this.#lastAt = now;
  }

  #pass(pcm: Int16Array, endedAt: number): void {
    const { onAudio, quietBelowDb, undecidedMs } = this.#deps;
    onAudio(pcm, endedAt);
    this.#quietBelowDb = quietBelowDb();
    this.#undecided = Math.min(undecidedMs() * this.#samplesPerMs, this.#held.length);
  }
}
