import { FRAME_MS } from './spoken-turns.ts';

/** After a pause like this it is another reply: the one before was cut short. */
const OTHER_REPLY_MS = 1000;
/** What of a reply may still be missing when it is taken for over. */
const END_SLACK_MS = FRAME_MS;
/** A pause like this between two frames of one reply is noted with its instant. */
const GAP_MS = 10;

/** A pause within a reply: nothing was left to play. */
export interface Gap {
  /** When the sound went on. */
  readonly atMs: number;
  readonly ms: number;
}

/** A far end that plays what it gets at once and without a pause, and notes how late that was. */
export class FarEndGauge {
  /** How much one reply is; 0: every frame is awaited from the instant it was asked for. */
  readonly #replyMs: number;
  readonly #marks: { readonly name: string; readonly dueAt: number }[] = [];
  #playedTo = 0;
  #leftMs = 0;
  #sentMs = 0;
  #playAt = 0;
  latenessMs: number[] = [];
  replyAt: number[] = [];
  clearAt: number[] = [];
  gaps: Gap[] = [];

  constructor(replyMs: number) {
    this.#replyMs = replyMs;
  }

  reset(): void {
    this.latenessMs = [];
    this.replyAt = [];
    this.clearAt = [];
    this.gaps = [];
  }

  /** A frame of the floor's: due when it was asked for. */
  echoed(askedAt: number, now: number): void {
    this.latenessMs.push(Math.max(0, now - askedAt));
  }

  audio(durationMs: number, now: number): void {
    const isNew = this.#leftMs <= END_SLACK_MS || now - this.#playedTo > OTHER_REPLY_MS;
    if (isNew) {
      this.#leftMs = this.#replyMs;
      this.replyAt.push(now);
    } else {
      const lateMs = Math.max(0, now - this.#playedTo);
      this.latenessMs.push(lateMs);
      if (lateMs > GAP_MS) this.gaps.push({ atMs: now, ms: lateMs });
    }
    // The frames behind the first one came with it.
    for (let ms = FRAME_MS; ms < durationMs; ms += FRAME_MS) this.latenessMs.push(0);
    this.#leftMs -= durationMs;
    this.#playAt = Math.max(now, this.#playedTo);
    this.#playedTo = this.#playAt + durationMs;
    this.#sentMs += durationMs;
  }

  mark(name: string): void {
    this.#marks.push({ name, dueAt: this.#playedTo });
  }

  /** Marks that were played by now. */
  *reached(now: number): Generator<string> {
    for (let first = this.#marks[0]; first && first.dueAt <= now; first = this.#marks[0]) {
      this.#marks.shift();
      yield first.name;
    }
  }

  /** Drops what was not played; the marks there are given back, and what was played since the last clear. */
  clear(now: number): { readonly marks: readonly string[]; readonly playedMs: number } {
    this.clearAt.push(now);
    const playedMs = this.#sentMs - Math.max(0, this.#playedTo - now);
    this.#playedTo = now;
    this.#leftMs = 0;
    this.#sentMs = 0;
    return { marks: this.#marks.splice(0).map(({ name }) => name), playedMs };
  }
}
