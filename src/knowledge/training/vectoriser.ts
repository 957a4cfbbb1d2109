import { ProviderError } from '../../lib/errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { IndexedPassage } from '../../ports/knowledge.ts';
import type { Log } from '../../ports/log.ts';

/** Gives passages their vectors for the length of one training; once the vendor fails, it goes on without. */
export class Vectoriser {
  readonly #embedder: Embedder | undefined;
  readonly #log: Log;
  #note: string | undefined;

  constructor(embedder: Embedder | undefined, log: Log) {
    this.#embedder = embedder;
    this.#log = log;
  }

  /** The model whose vectors are made; none when none are. */
  get model(): string | undefined {
    if (!this.#embedder || this.#note !== undefined) return undefined;
    return `${this.#embedder.provider} ${this.#embedder.model}`;
  }

  /** Why there are no vectors though there should be, for the user. */
  get note(): string | undefined {
    return this.#note;
  }

  async vectorsOf(
    passages: readonly IndexedPassage[],
    signal: AbortSignal,
  ): Promise<readonly Float32Array[] | undefined> {
    if (!this.#embedder || this.#note !== undefined) return undefined;
    const texts = passages.map(({ headings, text }) => [...headings, text].join('\n'));
    try {
      return await this.#embedder.embed(texts, signal);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      this.#note = `Trained for search by words alone: ${error.message}`;
      this.#log.warn({ err: error }, 'passages are kept without vectors');
      return undefined;
    }
  }
}
