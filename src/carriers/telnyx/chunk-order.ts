/** Chunks held back for a missing one: 60 ms of delay at most. */
const WINDOW = 3;

/** Restores the order of numbered chunks within a small window; drops a chunk that comes later. Pure. */
export class ChunkOrder<T> {
  readonly #waiting = new Map<number, T>();
  #next: number | undefined;

  /** Returns the chunks that are due now, in order. */
  push(chunk: number, value: T): readonly T[] {
    if (!Number.isInteger(chunk)) return [value];
    this.#next ??= chunk;
    if (chunk < this.#next) return [];
    this.#waiting.set(chunk, value);
    const due = this.#drain();
    if (this.#waiting.size < WINDOW) return due;
    // The missing chunk counts as lost.
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
