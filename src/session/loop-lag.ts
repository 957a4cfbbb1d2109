import type { Clock, Timer } from '../ports/clock.ts';

const SAMPLE_MS = 50;
/** One second, so that a pause of the garbage collector does not count as overload. */
const SAMPLES = 20;

interface Deps {
  readonly clock: Clock;
  /** The process is overloaded if its median lateness over the last second exceeds this, ms. */
  readonly limitMs: number;
}

/** Measures how late timers fire, since every kind of overload delays the event loop. */
export class LoopLag {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #late = new Float64Array(SAMPLES);
  #count = 0;
  #timer: Timer | undefined;
  #isOver = false;

  constructor({ clock, limitMs }: Deps) {
    this.#clock = clock;
    this.#limitMs = limitMs;
  }

  /** True while the process is overloaded; it ends when the lateness falls to half the limit. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Median lateness over the last second. */
  get typicalMs(): number {
    return this.#late.toSorted()[SAMPLES / 2] as number;
  }

  start(): void {
    this.stop();
    const dueAt = this.#clock.now() + SAMPLE_MS;
    this.#timer = this.#clock.setTimeout(() => this.#sample(dueAt), SAMPLE_MS);
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer);
  }

  #sample(dueAt: number): void {
    this.#late[this.#count++ % SAMPLES] = Math.max(0, this.#clock.now() - dueAt);
    this.#isOver = this.typicalMs > (this.#isOver ? this.#limitMs / 2 : this.#limitMs);
    this.start();
  }
}
