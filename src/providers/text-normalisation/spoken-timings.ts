import type { WordTiming } from '../../ports/tts.ts';
import type { NormalisedWord } from './protocol.ts';

/** Maps the times of spoken words back to the written words, in order, each once. */
export class SpokenTimings {
  readonly #words: readonly NormalisedWord[];
  /** For each spoken word, the index of its written one. */
  readonly #owners: readonly number[];
  #at = 0;
  #delivered = 0;
  #startMs: number | undefined;
  #lastMs = 0;

  constructor(words: readonly NormalisedWord[]) {
    this.#words = words;
    this.#owners = words.flatMap(({ spoken }, i) =>
      Array<number>(spoken.match(/\S+/g)?.length ?? 0).fill(i),
    );
  }

  take(spoken: readonly WordTiming[]): WordTiming[] {
    const complete: WordTiming[] = [];
    for (const { startMs, endMs } of spoken) {
      const owner = this.#owners[this.#at];
      if (owner === undefined) break;
      this.#at++;
      // Unspoken words have no duration.
      while (this.#delivered < owner) complete.push(this.#deliver(this.#lastMs, this.#lastMs));
      this.#startMs ??= startMs;
      if (this.#owners[this.#at] === owner) continue;
      complete.push(this.#deliver(this.#startMs, endMs));
      this.#startMs = undefined;
    }
    // Unspoken words that follow are completed with the word before them.
    while (this.#delivered < this.#words.length && this.#isSilent(this.#delivered) && this.#at > 0)
      complete.push(this.#deliver(this.#lastMs, this.#lastMs));
    return complete;
  }

  #isSilent(index: number): boolean {
    return this.#startMs === undefined && this.#words[index]?.spoken === '';
  }

  #deliver(startMs: number, endMs: number): WordTiming {
    const { written } = this.#words[this.#delivered++] as NormalisedWord;
    this.#lastMs = Math.max(this.#lastMs, endMs);
    return { word: written, startMs, endMs: this.#lastMs };
  }
}
