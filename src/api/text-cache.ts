/** Texts by key, within a budget; what was asked for longest ago goes first. */
export class TextCache {
  readonly #maxChars: number;
  // Oldest use first.
  readonly #texts = new Map<string, string>();
  #chars = 0;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  get chars(): number {
    return this.#chars;
  }

  get(key: string): string | undefined {
    const text = this.#texts.get(key);
    if (text === undefined) return undefined;
    this.#texts.delete(key);
    this.#texts.set(key, text);
    return text;
  }

  set(key: string, text: string): void {
    this.#remove(key);
    if (text.length > this.#maxChars) return;
    this.#texts.set(key, text);
    this.#chars += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#chars <= this.#maxChars) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#chars -= this.#texts.get(key)?.length ?? 0;
    this.#texts.delete(key);
  }
}
