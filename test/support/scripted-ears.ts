import type { Ears } from './hearing-script.ts';
import type { ToneWord } from './tone-words.ts';

const BLOCK_MS = 10;

/** A recogniser that is told what it hears: words with their times in the audio it is sent. */
export class ScriptedEars implements Ears {
  readonly #rateHz: number;
  /** How long after its end a word is understood. */
  readonly #lateMs: number;
  #script: readonly ToneWord[] = [];
  #samples = 0;
  #flushed = 0;

  constructor(sampleRateHz: number, lateMs: number) {
    this.#rateHz = sampleRateHz;
    this.#lateMs = lateMs;
  }

  /** Adds words that will be heard, later than those before. */
  expect(words: readonly ToneWord[]): void {
    this.#script = [...this.#script, ...words];
  }

  get receivedMs(): number {
    return (this.#samples * 1000) / this.#rateHz;
  }

  get words(): readonly ToneWord[] {
    const understoodMs = Math.max(this.receivedMs - this.#lateMs, this.#flushed);
    return this.#script.filter(({ endMs }) => endMs <= understoodMs);
  }

  get speaking(): boolean {
    const now = this.receivedMs;
    return this.#script.some(({ startMs, endMs }) => startMs <= now && now < endMs + this.#lateMs);
  }

  push(pcm: Int16Array, onBlock: () => void = () => undefined): void {
    const blockSamples = (this.#rateHz * BLOCK_MS) / 1000;
    for (let at = 0; at < pcm.length; at += blockSamples) {
      this.#samples += Math.min(blockSamples, pcm.length - at);
      onBlock();
    }
  }

  flush(): void {
    this.#flushed = this.receivedMs;
  }
}
