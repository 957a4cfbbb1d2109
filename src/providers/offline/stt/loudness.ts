import { RECOGNISER_RATE_HZ } from './protocol.ts';

const FRAME_SAMPLES = RECOGNISER_RATE_HZ / 100;
const FRAME_MS = 10;
/** Speech is at most this much weaker than the speech beside it, as power: 12 dB. */
const SPEECH_FLOOR = 0.06;
/** Edges of words are not found to the frame. */
const EDGE_MS = 60;
/** Less than a syllable is a click or a breath. */
const SHORTEST_MS = 120;

/** How loud an utterance is, moment by moment. */
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

  /** How long it is as loud as the words where there are none: sound that they leave unexplained. */
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
