import type { WordTiming } from '../../ports/tts.ts';

/** Bounds the memory that a voice which never ends can take. */
const MAX_UTTERANCE_MS = 120_000;

const FRAMES_PER_SECOND = 50;

/** The audio of one utterance at the leg's rate: filled by the voice, read by playout, and read again after a hold. */
export class UtteranceBuffer {
  readonly uttId: number;
  readonly sampleRateHz: number;
  readonly words: WordTiming[] = [];
  /** The voice has delivered everything. */
  ended = false;
  #chunks: Int16Array[] = [];
  #starts: number[] = [];
  #samples = 0;

  constructor(uttId: number, sampleRateHz: number) {
    this.uttId = uttId;
    this.sampleRateHz = sampleRateHz;
  }

  get samples(): number {
    return this.#samples;
  }

  get durationMs(): number {
    return (this.#samples * 1000) / this.sampleRateHz;
  }

  /** How much of the word at `playedMs` was said, and how much is left. */
  word(playedMs: number): { readonly saidMs: number; readonly leftMs: number } | undefined {
    const word = this.words.find(({ startMs, endMs }) => startMs < playedMs && playedMs < endMs);
    return word && { saidMs: playedMs - word.startMs, leftMs: word.endMs - playedMs };
  }

  /** Takes ownership of `pcm`. False when the utterance has grown past its bound. */
  push(pcm: Int16Array): boolean {
    if (this.durationMs >= MAX_UTTERANCE_MS) return false;
    if (pcm.length === 0) return true;
    this.#starts.push(this.#samples);
    this.#chunks.push(pcm);
    this.#samples += pcm.length;
    return true;
  }

  /**
   * At most `count` samples in whole frames, since a carrier would fill up a part of a frame with silence in the
   * middle of a word. At the end of the utterance, all that is left.
   */
  readFrames(from: number, count: number): Int16Array {
    const left = this.#samples - from;
    if (this.ended && left <= count) return this.read(from, left);
    const frame = this.sampleRateHz / FRAMES_PER_SECOND;
    return this.read(from, Math.floor(Math.min(left, count) / frame) * frame);
  }

  /** A copy of up to `count` samples from `from`. */
  read(from: number, count: number): Int16Array {
    const length = Math.max(0, Math.min(count, this.#samples - from));
    const out = new Int16Array(length);
    let index = this.#chunkAt(from);
    let position = from;
    while (position < from + length) {
      const chunk = this.#chunks[index] as Int16Array;
      const start = position - (this.#starts[index] as number);
      const take = Math.min(chunk.length - start, from + length - position);
      out.set(chunk.subarray(start, start + take), position - from);
      position += take;
      index++;
    }
    return out;
  }

  #chunkAt(sample: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] as number) <= sample) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }
}
