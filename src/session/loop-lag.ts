import type { Clock, Timer } from '../ports/clock.ts';

const SAMPLE_MS = 50;
/** One second: a pause of the runtime's own is no overload. */
const SAMPLES = 20;

interface Deps {
  readonly clock: Clock;
  /** Typical lateness of the last second from which on the process has enough to do, ms. */
  readonly limitMs: number;
}

/** How late the event loop is: the one measure in which every kind of overload of a process shows. */
export class LoopLag {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #late = new Float64Array(SAMPLES);
  #count = 0;
  #dueAt = 0;
  #timer: Timer | undefined;
  #isOver = false;

  constructor({ clock, limitMs }: Deps) {
    this.#clock = clock;
    this.#limitMs = limitMs;
  }

  /** The process does not keep up with what it has. Over means over until it is well below again. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The median of the last second. */
  get typicalMs(): number {
    return this.#late.toSorted()[SAMPLES / 2] as number;
  }

  start(): void {
    this.stop();
    this.#dueAt = this.#clock.now() + SAMPLE_MS;
    this.#timer = this.#clock.setTimeout(() => this.#sample(), SAMPLE_MS);
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #sample(): void {
    this.#late[this.#count++ % SAMPLES] = Math.max(0, this.#clock.now() - this.#dueAt);
    this.#isOver = this.typicalMs > (this.#isOver ? this.#limitMs / 2 : this.#limitMs);
    this.start();
  }
}
