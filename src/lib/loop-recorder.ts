/**
 * Work of the thread that carries sound, told apart where it may take long. A collection counts in the work that it
 * interrupts, too.
 */
export const LOOP_WORK = [
  'gc-minor',
  'gc-major',
  'gc-incremental',
  'gc-callbacks',
  'frame',
  'playout',
  'call-event',
  'call-timer',
  'call-start',
  'reply-start',
  'records',
  'rows',
  'list',
  'body',
  'metrics',
  'carrier-message',
] as const;
export type LoopWork = (typeof LOOP_WORK)[number];

/** What work of one kind took, ms. */
export interface LoopFigures {
  readonly work: LoopWork;
  readonly totalMs: number;
  /** The longest that one piece of it took, in the last half minute to minute. */
  readonly longestMs: number;
}

/** `tookMs`: without the work within it; `endedAt`: on the recorder's clock, ms. */
export type LoopWatcher = (work: LoopWork, tookMs: number, endedAt: number) => void;

const WINDOW_MS = 30_000;
/** Work within work; what lies deeper counts with its surroundings. */
const MAX_DEPTH = 16;

/**
 * Notes how long each kind of work holds the thread without a pause. Work within other work counts for itself alone. One
 * piece costs two readings of the clock and no memory, so that this is always on.
 */
export class LoopRecorder {
  readonly #now: () => number;
  readonly #total = new Float64Array(LOOP_WORK.length);
  readonly #longest = new Float64Array(LOOP_WORK.length);
  readonly #longestBefore = new Float64Array(LOOP_WORK.length);
  readonly #begunAt = new Float64Array(MAX_DEPTH);
  /** What work within the one that is under way has taken. */
  readonly #within = new Float64Array(MAX_DEPTH);
  #depth = 0;
  #windowFrom = 0;
  #watcher: LoopWatcher | undefined;

  /** `now`: monotonic ms. */
  constructor(now: () => number) {
    this.#now = now;
    this.#windowFrom = now();
  }

  /** Does the work, which must not wait for anything. */
  hold<Result>(work: LoopWork, does: () => Result): Result {
    this.begin();
    try {
      return does();
    } finally {
      this.end(work);
    }
  }

  /** {@link hold} where a closure would cost too much: every `begin` has its `end`, whatever is thrown between them. */
  begin(): void {
    if (this.#depth < MAX_DEPTH) {
      this.#begunAt[this.#depth] = this.#now();
      this.#within[this.#depth] = 0;
    }
    this.#depth++;
  }

  end(work: LoopWork): void {
    const depth = --this.#depth;
    if (depth >= MAX_DEPTH) return;
    const now = this.#now();
    const tookMs = now - (this.#begunAt[depth] as number);
    if (depth > 0) this.#within[depth - 1] = (this.#within[depth - 1] as number) + tookMs;
    this.#note(work, tookMs - (this.#within[depth] as number), now);
  }

  /** Notes work that was timed elsewhere. */
  note(work: LoopWork, tookMs: number): void {
    this.#note(work, tookMs, this.#now());
  }

  /** Calls `watcher` after each piece of work, as it is noted; undefined ends that. */
  watch(watcher: LoopWatcher | undefined): void {
    this.#watcher = watcher;
  }

  figures(): readonly LoopFigures[] {
    this.#turnWindow(this.#now());
    return LOOP_WORK.map((work, i) => ({
      work,
      totalMs: this.#total[i] as number,
      longestMs: Math.max(this.#longest[i] as number, this.#longestBefore[i] as number),
    }));
  }

  #note(work: LoopWork, tookMs: number, now: number): void {
    if (now - this.#windowFrom >= WINDOW_MS) this.#turnWindow(now);
    const i = INDEX[work];
    this.#total[i] = (this.#total[i] as number) + tookMs;
    if (tookMs > (this.#longest[i] as number)) this.#longest[i] = tookMs;
    this.#watcher?.(work, tookMs, now);
  }

  #turnWindow(now: number): void {
    const passed = Math.floor((now - this.#windowFrom) / WINDOW_MS);
    if (passed === 0) return;
    if (passed === 1) this.#longestBefore.set(this.#longest);
    else this.#longestBefore.fill(0);
    this.#longest.fill(0);
    this.#windowFrom += passed * WINDOW_MS;
  }
}

const INDEX = Object.fromEntries(LOOP_WORK.map((work, i) => [work, i])) as Readonly<
  Record<LoopWork, number>
>;

/** Of the process's one loop. */
export const loopRecorder = new LoopRecorder(() => performance.now());
