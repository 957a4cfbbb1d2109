import { RECOGNISER_RATE_HZ } from './protocol.ts';

const FRAME_SAMPLES = RECOGNISER_RATE_HZ / 100;
const FRAME_MS = 10;
/** Speech is at most this much weaker (as power: 12 dB) than the speech around it. */
const SPEECH_FLOOR = 0.06;
/** Word boundaries are not accurate to the frame. */
const EDGE_MS = 60;
/** Sound shorter than a syllable is a click or a breath. */
const SHORTEST_MS = 120;

/** Tracks the level of an utterance over time. */
export class Loudness {
  readonly #powers: number[] = [];
  #sum = 0;
  #samples = 0;

  write(pcm: Int16Array): void {
    for (let i = 0; i < pcm.length; i++) {
      const sample = pcm[i] as number;
      this.#sum += sample * sample;
      this.#samples++;
      if (this.#samples < FRAME_SAMPLES) continue;
      this.#powers.push(this.#sum / FRAME_SAMPLES);
      this.#sum = 0;
      this.#samples = 0;
    }
  }

  /** How long the level reaches that of the words outside of any word: speech that the words do not explain. */
  passedOverMs(words: readonly { readonly startMs: number; readonly endMs: number }[]): number {
    const inWord = new Uint8Array(this.#powers.length);
    let power = 0;
    let frames = 0;
    for (const { startMs, endMs } of words) {
      for (let i = Math.floor(startMs / FRAME_MS); i < endMs / FRAME_MS; i++) {
        power += this.#powers[i] ?? 0;
        frames++;
      }
      const from = Math.max(0, Math.floor((startMs - EDGE_MS) / FRAME_MS));
      inWord.fill(1, from, Math.ceil((endMs + EDGE_MS) / FRAME_MS));
    }
    const floor = (SPEECH_FLOOR * power) / Math.max(1, frames);
    let loud = 0;
    for (let i = 0; i < inWord.length; i++) {
      if (!inWord[i] && (this.#powers[i] as number) > floor) loud++;
    }
    return loud * FRAME_MS < SHORTEST_MS ? 0 : loud * FRAME_MS;
  }
}
