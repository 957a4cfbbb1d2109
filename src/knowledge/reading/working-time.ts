/** A deadline that stands still while it is paused. */
export class WorkingTime {
  readonly #onOver: () => void;
  #leftMs: number;
  #since = 0;
  #ended = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(totalMs: number, onOver: () => void) {
    this.#leftMs = totalMs;
    this.#onOver = onOver;
    this.resume();
  }

  /** For good. */
  end(): void {
    this.#ended = true;
    this.pause();
  }

  pause(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs -= performance.now() - this.#since;
  }

  resume(): void {
    if (this.#timer !== undefined || this.#ended) return;
    this.#since = performance.now();
    this.#timer = setTimeout(this.#onOver, Math.max(0, this.#leftMs));
  }
}
