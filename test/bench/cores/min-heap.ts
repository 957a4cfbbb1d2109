/** A heap that gives back the item with the smallest key first. */
export class MinHeap<Item> {
  readonly #keys: number[] = [];
  readonly #items: Item[] = [];

  get size(): number {
    return this.#keys.length;
  }

  /** The smallest key; infinite while the heap is empty. */
  get firstKey(): number {
    return this.#keys[0] ?? Number.POSITIVE_INFINITY;
  }

  push(key: number, item: Item): void {
    let at = this.#keys.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const aboveKey = this.#keys[above] as number;
      if (aboveKey <= key) break;
      this.#put(at, aboveKey, this.#items[above] as Item);
      at = above;
    }
    this.#put(at, key, item);
  }

  pop(): Item | undefined {
    const first = this.#items[0];
    const key = this.#keys.pop();
    const item = this.#items.pop();
    if (key === undefined || this.#keys.length === 0) return first;
    this.#sink(key, item as Item);
    return first;
  }

  /** Puts an item in the place of the first one and below, where its key belongs. */
  #sink(key: number, item: Item): void {
    const size = this.#keys.length;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= size) break;
      if (below + 1 < size && (this.#keys[below + 1] as number) < (this.#keys[below] as number))
        below++;
      const belowKey = this.#keys[below] as number;
      if (key <= belowKey) break;
      this.#put(at, belowKey, this.#items[below] as Item);
      at = below;
    }
    this.#put(at, key, item);
  }

  #put(at: number, key: number, item: Item): void {
    this.#keys[at] = key;
    this.#items[at] = item;
  }
}
