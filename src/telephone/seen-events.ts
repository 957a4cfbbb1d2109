/** Carriers repeat a webhook for minutes at the most; a busy service gets fewer than this in that time. */
const MAX_SEEN = 20_000;

/** Remembers which events were taken, so that a repeated one is taken once. */
export class SeenEvents {
  readonly #seen = new Set<string>();

  /** True the first time. */
  take(id: string): boolean {
    if (this.#seen.has(id)) return false;
    this.#seen.add(id);
    if (this.#seen.size > MAX_SEEN) this.#seen.delete(this.#seen.values().next().value as string);
    return true;
  }

  /** What came of it was nothing: it may come again. */
  forget(id: string): void {
    this.#seen.delete(id);
  }
}
