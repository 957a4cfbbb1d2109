interface Waiting<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH = 500;

/**
 * Batches look-ups: those that arrive while a query runs share the next one. A lone look-up is queried at once, and
 * results are never older than the request.
 */
export class Coalescer<Key, Value> {
  readonly #load: (keys: readonly Key[]) => Promise<readonly Value[]>;
  #waiting: Waiting<Key, Value>[] = [];
  #asking = false;

  /** `load` resolves with one value for each key, in the same order. */
  constructor(load: (keys: readonly Key[]) => Promise<readonly Value[]>) {
    this.#load = load;
  }

  get(key: Key): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
      if (!this.#asking) void this.#ask();
    });
  }

  async #ask(): Promise<void> {
    this.#asking = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH);
      try {
        const values = await this.#load(batch.map(({ key }) => key));
        for (const [i, { resolve }] of batch.entries()) resolve(values[i] as Value);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#asking = false;
  }
}
