// @ts-check
import { levelDb, SILENCE_DB } from './level.js';
import { floatFromPcm16 } from './pcm.js';
import { PlaybackBuffer } from './playback-buffer.js';
import { Resampler } from './resampler.js';

const CAPACITY_SECONDS = 20;
const PREBUFFER_SECONDS = 0.02;
const REPORT_SECONDS = 0.02;

/**
 * @typedef {{ type: 'audio', pcm: ArrayBuffer } | { type: 'mark', name: string } | { type: 'clear' }} PlaybackCommand
 * @typedef {{ type: 'played', name: string } | { type: 'cleared', playedMs: number } | { type: 'level', db: number, atMs: number }} PlaybackReport
 */

/** The caller's loudspeaker: plays what the service sends and says exactly how far it got. */
class PlaybackProcessor extends AudioWorkletProcessor {
  /** @type {PlaybackBuffer} */ #buffer;
  /** @type {Resampler | undefined} */ #resampler;
  #loudest = SILENCE_DB;
  #reportAt = 0;

  /** @param {{ processorOptions: { wireHz: number, prebufferSeconds?: number } }} options */
  constructor(options) {
    super();
    const { wireHz, prebufferSeconds = PREBUFFER_SECONDS } = options.processorOptions;
    this.#buffer = new PlaybackBuffer(
      Math.round(CAPACITY_SECONDS * sampleRate),
      Math.round(prebufferSeconds * sampleRate),
    );
    if (wireHz !== sampleRate) this.#resampler = new Resampler(wireHz, sampleRate);
    this.port.onmessage = ({ data }) => this.#obey(data);
  }

  /**
   * @param {Float32Array[][]} _inputs
   * @param {Float32Array[][]} outputs
   */
  process(_inputs, outputs) {
    const output = outputs[0]?.[0];
    if (!output) return true;
    const count = this.#buffer.pull(output, (name) => this.#report({ type: 'played', name }));
    if (count > 0) this.#loudest = Math.max(this.#loudest, levelDb(output));
    if (currentTime >= this.#reportAt) {
      this.#reportAt = currentTime + REPORT_SECONDS;
      this.#report({ type: 'level', db: this.#loudest, atMs: currentTime * 1000 });
      this.#loudest = SILENCE_DB;
    }
    return true;
  }

  /** @param {PlaybackCommand} command */
  #obey(command) {
    if (command.type === 'audio') {
      const samples = floatFromPcm16(new Int16Array(command.pcm));
      this.#buffer.push(this.#resampler?.process(samples) ?? samples);
    } else if (command.type === 'mark') {
      this.#buffer.mark(command.name);
    } else {
      this.#resampler?.reset();
      const playedMs = (this.#buffer.clear() * 1000) / sampleRate;
      this.#report({ type: 'cleared', playedMs });
    }
  }

  /** @param {PlaybackReport} report */
  #report(report) {
    this.port.postMessage(report);
  }
}

registerProcessor('playback', PlaybackProcessor);
