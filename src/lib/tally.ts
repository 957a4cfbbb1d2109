/** Counts who has how many of something that is shared. */
export class Tally {
  readonly #counts = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(holder: string): number {
    return this.#counts.get(holder) ?? 0;
  }

  /** One more for this holder, unless it has so many already; returns how to give it back, once. */
  take(holder: string, max: number): (() => void) | undefined {
    const count = this.of(holder);
    if (count >= max) return undefined;
    this.#counts.set(holder, count + 1);
    this.#total++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#total--;
      const left = this.of(holder) - 1;
      if (left > 0) this.#counts.set(holder, left);
      else this.#counts.delete(holder);
    };
  }
}
