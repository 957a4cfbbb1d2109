import { levelDb } from './level.ts';
import { pcm16FromFloat } from './pcm.ts';
import { Resampler } from './resampler.ts';

const FRAME_SECONDS = 0.02;

/** 20 ms of microphone audio. */
export interface CapturedFrame {
  readonly pcm: ArrayBuffer;
  readonly db: number;
  /** End of the frame on the audio context's clock. */
  readonly atMs: number;
}

interface Options {
  readonly processorOptions: { readonly wireHz: number };
}

/** Sends the caller's microphone as 20 ms frames of PCM16 at the call's sample rate. */
class CaptureProcessor extends AudioWorkletProcessor {
  readonly #resampler: Resampler | undefined;
  readonly #frame: Float32Array;
  #filled = 0;

  constructor({ processorOptions: { wireHz } }: Options) {
    super();
    if (wireHz !== sampleRate) this.#resampler = new Resampler(sampleRate, wireHz);
    this.#frame = new Float32Array(Math.round(wireHz * FRAME_SECONDS));
  }

  process(inputs: Float32Array[][]): boolean {
    // Without input the microphone is gone; send silence to keep time.
    const block = inputs[0]?.[0] ?? new Float32Array(128);
    let samples = this.#resampler?.process(block) ?? block;
    while (samples.length > 0) {
      const count = Math.min(samples.length, this.#frame.length - this.#filled);
      this.#frame.set(samples.subarray(0, count), this.#filled);
      this.#filled += count;
      samples = samples.subarray(count);
      if (this.#filled === this.#frame.length) this.#send();
    }
    return true;
  }

  #send(): void {
    const pcm = pcm16FromFloat(this.#frame).buffer;
    const frame: CapturedFrame = { pcm, db: levelDb(this.#frame), atMs: currentTime * 1000 };
    this.port.postMessage(frame, [pcm]);
    this.#filled = 0;
  }
}

registerProcessor('capture', CaptureProcessor);
