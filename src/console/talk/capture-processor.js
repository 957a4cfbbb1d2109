// @ts-check
import { levelDb } from './level.js';
import { pcm16FromFloat } from './pcm.js';
import { Resampler } from './resampler.js';

const FRAME_SECONDS = 0.02;

/** @typedef {{ pcm: ArrayBuffer, db: number, atMs: number }} CapturedFrame */

/** The caller's microphone: 20 ms frames of PCM16 at the rate of the call. */
class CaptureProcessor extends AudioWorkletProcessor {
  /** @type {Resampler | undefined} */ #resampler;
  /** @type {Float32Array} */ #frame;
  #filled = 0;

  /** @param {{ processorOptions: { wireHz: number } }} options */
  constructor(options) {
    super();
    const { wireHz } = options.processorOptions;
    if (wireHz !== sampleRate) this.#resampler = new Resampler(sampleRate, wireHz);
    this.#frame = new Float32Array(Math.round(wireHz * FRAME_SECONDS));
  }

  /** @param {Float32Array[][]} inputs */
  process(inputs) {
    // No input is a microphone that is gone: its time passes in silence.
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

  #send() {
    const pcm = pcm16FromFloat(this.#frame).buffer;
    /** @type {CapturedFrame} */
    const frame = { pcm, db: levelDb(this.#frame), atMs: currentTime * 1000 };
    this.port.postMessage(frame, [pcm]);
    this.#filled = 0;
  }
}

registerProcessor('capture', CaptureProcessor);
