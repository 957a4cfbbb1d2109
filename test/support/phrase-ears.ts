import type { Ears } from './hearing-script.ts';
import type { ToneWord } from './tone-words.ts';

const BLOCK_MS = 10;
const VOICED = 500;
const QUIET_MS = 500;

/**
 * Ears of an emulated recogniser that understand any voice as the next of the given phrases, and nothing when they are
 * used up: for a sound that is speech to voice activity. Several connections share what is left to be heard.
 */
export class PhraseEars implements Ears {
  readonly words: ToneWord[] = [];
  readonly #phrases: string[];
  readonly #block: Int16Array;
  #filled = 0;
  #blocks = 0;
  #fromMs: number | undefined;
  #loudMs = 0;

  constructor(phrases: string[], sampleRateHz: number) {
    this.#phrases = phrases;
    this.#block = new Int16Array((sampleRateHz * BLOCK_MS) / 1000);
  }

  get receivedMs(): number {
    return this.#blocks * BLOCK_MS;
  }

  get speaking(): boolean {
    return this.#fromMs !== undefined;
  }

  push(pcm: Int16Array, onBlock: () => void = () => undefined): void {
    for (const sample of pcm) {
      this.#block[this.#filled++] = sample;
      if (this.#filled < this.#block.length) continue;
      this.#filled = 0;
      this.#blocks++;
      if (this.#block.some((each) => Math.abs(each) > VOICED)) {
        this.#fromMs ??= this.receivedMs;
        this.#loudMs = this.receivedMs;
      } else if (this.receivedMs - this.#loudMs >= QUIET_MS) this.flush();
      onBlock();
    }
  }

  flush(): void {
    const startMs = this.#fromMs;
    this.#fromMs = undefined;
    if (startMs === undefined) return;
    const texts = this.#phrases.shift()?.split(' ') ?? [];
    const step = (this.#loudMs - startMs) / texts.length;
    for (const [i, text] of texts.entries())
      this.words.push({ text, startMs: startMs + i * step, endMs: startMs + (i + 1) * step });
  }
}
