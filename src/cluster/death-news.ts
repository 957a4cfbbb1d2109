/** Tells listeners that nodes have died, including those that begin to listen afterwards. */
export class DeathNews {
  readonly #listeners: (() => void)[] = [];
  #isTold = false;

  /** A process may find dead nodes before the parts that act on it exist: these are told when they listen. */
  listen(listener: () => void): void {
    this.#listeners.push(listener);
    if (this.#isTold) listener();
  }

  tell(): void {
    this.#isTold = true;
    for (const listener of this.#listeners) listener();
  }
}
