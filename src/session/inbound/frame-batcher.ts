import { rmsDb } from '../../audio/level.ts';

interface Deps {
  readonly sampleRateHz: number;
  /** What is quieter than this, dB, changes nothing now; undefined: everything may. Asked after each audio. */
  readonly quietBelowDb: () => number | undefined;
  /** Audio that may come now before anything is decided by it, ms. Asked after each audio. */
  readonly undecidedMs: () => number;
  /** Audio that ended at this clock instant; the array is used again afterwards. */
  readonly onAudio: (pcm: Int16Array, endedAt: number) => void;
}

/** Silence is handed on in pieces of this length. */
const HOLD_MS = 100;
/** Frames that come further apart than this do not belong together. */
const GAP_MS = 60;

/**
 * The caller's frames on their way into the call. What a frame costs is to fetch all that belongs to its call from
 * memory, so those that nobody waits for are gathered: silence, and of a voice what does not complete anything
 * that is judged. Whatever matters takes them with it at once.
 */
export class FrameBatcher {
  readonly #deps: Deps;
  readonly #samplesPerMs: number;
  readonly #held: Int16Array;
  #filled = 0;
  /** When what is held began, by that frame of it which came soonest after it was spoken. */
  #startedAt = 0;
  #lastAt = 0;
  #quietBelowDb: number | undefined;
  #undecided = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#samplesPerMs = deps.sampleRateHz / 1000;
    this.#held = new Int16Array(HOLD_MS * this.#samplesPerMs);
  }

  /** Audio that came now; the array may be reused afterwards. */
  hear(pcm: Int16Array, now: number): void {
    const { length } = this.#held;
    const quietBelowDb = this.#quietBelowDb;
    const room = quietBelowDb !== undefined && rmsDb(pcm) < quietBelowDb ? length : this.#undecided;
    if (this.#filled > 0 && (now - this.#lastAt > GAP_MS || this.#filled + pcm.length > length))
      this.flush();
    if (this.#filled === 0 && pcm.length >= room) {
      this.#pass(pcm, now);
      return;
    }
    this.#hold(pcm, now);
    if (this.#filled >= room) this.flush();
  }

  /** Hands on what is held. */
  flush(): void {
    if (this.#filled === 0) return;
    const held = this.#held;
    const pcm = this.#filled === held.length ? held : held.subarray(0, this.#filled);
    this.#filled = 0;
    this.#pass(pcm, this.#startedAt + pcm.length / this.#samplesPerMs);
  }

  #hold(pcm: Int16Array, now: number): void {
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
