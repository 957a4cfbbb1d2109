import { RATE_HZ } from './sound-call.ts';
import type { ToneWord } from './tone-words.ts';
import type { Utterance } from './utterance.ts';

/** A sample of at least this size is part of a sound, about -50 dBFS. */
const SOUNDING = 100;

function soundingSamples(pcm: Int16Array): number {
  let count = 0;
  for (const sample of pcm) if (Math.abs(sample) >= SOUNDING) count++;
  return count;
}

/**
 * The words of a reply that a loudspeaker has played to their end, wherever it paused: by how much of the sound before
 * their end was heard.
 */
export class HeardWords {
  readonly #tell: (word: ToneWord) => void;
  /** Each with the sounding samples up to its end. */
  #waiting: { readonly text: string; readonly samples: number }[] = [];
  #samples = 0;
  /** Where the sound of the word began that is heard now; nothing in a silence before one. */
  #fromMs: number | undefined;

  /** `tell` gets each word with its times on the clock of what is heard. */
  constructor(tell: (word: ToneWord) => void) {
    this.#tell = tell;
  }

  /** This reply sounds next. */
  expect({ pcm, words }: Pick<Utterance, 'pcm' | 'words'>): void {
    let samples = 0;
    let fromMs = 0;
    this.#waiting = words.map(({ text, endMs }) => {
      samples += soundingSamples(pcm.subarray(sampleAt(fromMs), sampleAt(endMs)));
      fromMs = endMs;
      return { text, samples };
    });
    this.#samples = 0;
    this.#fromMs = undefined;
  }

  /** Takes what was played, its first sample `fromSample` of the clock. */
  hear(played: Int16Array, fromSample = 0): void {
    const sounding = soundingSamples(played);
    if (sounding === 0) return;
    const nowMs = ((fromSample + played.length) * 1000) / RATE_HZ;
    this.#fromMs ??= (fromSample * 1000) / RATE_HZ;
    this.#samples += sounding;
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      if (next.samples > this.#samples) return;
      this.#waiting.shift();
      this.#tell({ text: next.text, startMs: this.#fromMs ?? nowMs, endMs: nowMs });
      this.#fromMs = undefined;
    }
  }
}

/** What tells one ending from another. */
const ENDING_MS = 2000;
const ENVELOPE_MS = 5;
const LEAST_LIKENESS = 0.9;

/** Whether the end of a reply was heard, and not only as much sound as it has: another may have followed it. */
export function hearsEndOf({ pcm }: Pick<Utterance, 'pcm'>, heard: Int16Array): boolean {
  const ending = envelope(pcm.subarray(Math.max(0, pcm.length - sampleAt(ENDING_MS))));
  const whole = envelope(heard);
  for (let at = 0; at + ending.length <= whole.length; at++)
    if (likeness(ending, whole.subarray(at, at + ending.length)) >= LEAST_LIKENESS) return true;
  return false;
}

function envelope(pcm: Int16Array): Float64Array {
  const step = sampleAt(ENVELOPE_MS);
  return Float64Array.from({ length: Math.floor(pcm.length / step) }, (_, i) =>
    soundingSamples(pcm.subarray(i * step, (i + 1) * step)),
  );
}

/** The correlation of two envelopes of one length. */
function likeness(a: Float64Array, b: Float64Array): number {
  const mean = (values: Float64Array) => values.reduce((sum, x) => sum + x, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  for (const [i, x] of a.entries()) {
    const [da, db] = [x - meanA, (b[i] as number) - meanB];
    ab += da * db;
    aa += da * da;
    bb += db * db;
  }
  return ab / Math.sqrt(aa * bb || 1);
}

const sampleAt = (ms: number) => Math.round((ms * RATE_HZ) / 1000);
