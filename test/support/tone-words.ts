const WORDS: readonly string[] = [
  ...['we', 'are', 'open', 'from', 'nine', 'to', 'five', 'every', 'day', 'and'],
  ...['close', 'early', 'on', 'friday', 'please', 'call', 'again', 'later', 'thank', 'you'],
];

const LOWEST_HZ = 300;
const STEP_HZ = 60;
const WORD_MS = 120;
const GAP_MS = 60;
const BLOCK_MS = 10;
const LEVEL = 9000;
const VOICED = 1500;

/** Speech that can be understood without a model: each word is a tone of its own. */
export function toneSpeech(text: string, sampleRateHz: number): Int16Array {
  const words = text.split(' ');
  const wordSamples = (WORD_MS * sampleRateHz) / 1000;
  const slotSamples = ((WORD_MS + GAP_MS) * sampleRateHz) / 1000;
  const pcm = new Int16Array(words.length * slotSamples);
  for (const [i, word] of words.entries()) {
    const index = WORDS.indexOf(word);
    if (index < 0) throw new Error(`"${word}" has no tone`);
    const hz = LOWEST_HZ + index * STEP_HZ;
    for (let s = 0; s < wordSamples; s++)
      pcm[i * slotSamples + s] = Math.round(
        LEVEL * Math.sin((2 * Math.PI * hz * (s + 0.5)) / sampleRateHz),
      );
  }
  return pcm;
}

export interface ToneWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** Hears {@link toneSpeech}. Time is what was received, never the clock. */
export class ToneListener {
  readonly words: ToneWord[] = [];
  readonly #rateHz: number;
  readonly #block: Int16Array;
  #filled = 0;
  #blocks = 0;
  #burst: { startMs: number; blocks: number; crossings: number } | undefined;
  #last = 0;

  constructor(sampleRateHz: number) {
    this.#rateHz = sampleRateHz;
    this.#block = new Int16Array((sampleRateHz * BLOCK_MS) / 1000);
  }

  get receivedMs(): number {
    return this.#blocks * BLOCK_MS + (this.#filled * 1000) / this.#rateHz;
  }

  get speaking(): boolean {
    return this.#burst !== undefined;
  }

  /** `onBlock` is called after every 10 ms. */
  push(pcm: Int16Array, onBlock: () => void = () => undefined): void {
    for (const sample of pcm) {
      this.#block[this.#filled++] = sample;
      if (this.#filled < this.#block.length) continue;
      this.#filled = 0;
      this.#take();
      this.#blocks++;
      onBlock();
    }
  }

  /** A word that still sounds is taken as it is. */
  flush(): void {
    this.#end();
  }

  #take(): void {
    const level = this.#block.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
    if (level < VOICED) {
      this.#end();
      return;
    }
    this.#burst ??= { startMs: this.#blocks * BLOCK_MS, blocks: 0, crossings: 0 };
    this.#burst.blocks++;
    for (const sample of this.#block) {
      if (sample > 0 !== this.#last > 0) this.#burst.crossings++;
      this.#last = sample;
    }
  }

  #end(): void {
    const burst = this.#burst;
    this.#burst = undefined;
    if (!burst || burst.blocks * BLOCK_MS < WORD_MS / 2) return;
    const durationMs = burst.blocks * BLOCK_MS;
    const hz = (burst.crossings * 1000) / durationMs / 2;
    const word = WORDS[Math.round((hz - LOWEST_HZ) / STEP_HZ)] ?? '?';
    this.words.push({ text: word, startMs: burst.startMs, endMs: burst.startMs + durationMs });
  }
}
