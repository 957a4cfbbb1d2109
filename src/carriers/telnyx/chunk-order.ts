/** Frames that a gap may hold back: 60 ms of delay at the most. */
const WINDOW = 3;

/** Puts numbered chunks back in order within a small window; one that comes later than that is dropped. Pure. */
export class ChunkOrder<T> {
  readonly #waiting = new Map<number, T>();
  #next: number | undefined;

  /** What is due now, in order. A chunk without a number goes straight through. */
  push(chunk: number, value: T): readonly T[] {
    if (!Number.isInteger(chunk)) return [value];
    this.#next ??= chunk;
    if (chunk < this.#next) return [];
    this.#waiting.set(chunk, value);
    const due = this.#drain();
    if (this.#waiting.size < WINDOW) return due;
    // The gap was a loss.
    this.#next = Math.min(...this.#waiting.keys());
    return [...due, ...this.#drain()];
  }

  #drain(): readonly T[] {
    const due: T[] = [];
    for (let next = this.#next as number; ; next++) {
      const value = this.#waiting.get(next);
      if (value === undefined) {
        this.#next = next;
        return due;
      }
      this.#waiting.delete(next);
      due.push(value);
    }
  }
}
