/** Whether the caller of a spoken call is being put through, and whether they talk with the operator. */
export class PutThrough {
  #dialled = 0;
  #isBridged = false;

  /** The caller waits for an operator, or talks with one. */
  get isUnderWay(): boolean {
    return this.#isBridged || this.#dialled > 0;
  }

  get isBridged(): boolean {
    return this.#isBridged;
  }

  dialled(): void {
    this.#dialled++;
  }

  /** The operator's line is free again. */
  ended(): void {
    this.#dialled--;
  }

  /** Caller and operator hear each other, until the call ends. */
  bridged(): void {
    this.#isBridged = true;
  }
}
