import { ProviderError } from '../../lib/errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { IndexedPassage } from '../../ports/knowledge.ts';
import type { Log } from '../../ports/log.ts';

/** Embeds the passages of one training; once the vendor fails, the training goes on without vectors. */
export class Vectoriser {
  readonly #embedder: Embedder | undefined;
  readonly #log: Log;
  #note: string | undefined;

  constructor(embedder: Embedder | undefined, log: Log) {
    this.#embedder = embedder;
    this.#log = log;
  }

  /** The embedding model; undefined if no vectors are made. */
  get model(): string | undefined {
    if (!this.#embedder || this.#note !== undefined) return undefined;
    return `${this.#embedder.provider} ${this.#embedder.model}`;
  }

  /** Tells the user why there are no vectors although an embedder is configured. */
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
      this.#note = `Trained for search by words only: ${error.message}`;
      this.#log.warn({ err: error }, 'passages are stored without vectors');
      return undefined;
    }
  }
}
