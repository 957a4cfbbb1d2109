import type { Clock } from '../../src/ports/clock.ts';
import type { Tts, TtsPart, TtsRequest } from '../../src/ports/tts.ts';

const RATE_HZ = 16_000;
const WORD_MS = 200;

interface Options {
  readonly firstMs?: number;
  readonly wordTimings?: boolean;
  /** Decides per text whether the voice fails, and how. */
  readonly fails?: (text: string) => 'before' | 'midway' | 'hangs' | undefined;
}

/** A voice of 200 ms a word: a constant level, so that a test sees in the audio what was played. */
export class ScriptedTts implements Tts {
  readonly provider = 'scripted';
  readonly texts: string[] = [];
  readonly #clock: Clock;
  readonly #options: Options;

  constructor(clock: Clock, options: Options = {}) {
    this.#clock = clock;
    this.#options = options;
  }

  async *synthesize(request: TtsRequest): AsyncIterable<TtsPart> {
    this.texts.push(request.text);
    const { firstMs = 0, wordTimings = true, fails } = this.#options;
    const fault = fails?.(request.text);
    if (firstMs > 0) await this.#pause(firstMs);
    if (fault === 'before') throw new Error('the scripted voice fails');
    if (fault === 'hangs') await new Promise(() => undefined);
    const words = request.text.split(/\s+/).filter(Boolean);
    if (wordTimings) {
      yield {
        type: 'words',
        words: words.map((word, i) => ({ word, startMs: i * WORD_MS, endMs: (i + 1) * WORD_MS })),
      };
    }
    for (const [i] of words.entries()) {
      if (fault === 'midway' && i === 1) throw new Error('the scripted voice fails');
      const pcm = new Int16Array((RATE_HZ * WORD_MS) / 1000).fill(2000 + i);
      yield { type: 'audio', pcm, sampleRateHz: RATE_HZ };
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.setTimeout(resolve, ms);
    });
  }
}
