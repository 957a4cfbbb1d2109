import { peakDb } from '../../audio/level.ts';
import { createResampler, type Resampler } from '../../audio/resampler.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PlayoutTap } from '../outbound/far-end.ts';
import { StereoWindow } from './stereo-window.ts';

interface Deps {
  readonly clock: Clock;
  /** Rate of the audio passed in. */
  readonly legRateHz: number;
  /** Length of the audio passed to `onAudio` at once. */
  readonly flushMs: number;
  /** Gets interleaved samples, the caller's first, and owns the array. */
  readonly onAudio: (pcm: Int16Array) => void;
}

const MAX_RATE_HZ = 16_000;
/** Room in the window beyond `flushMs`, for late audio of the caller and audio of the assistant sent ahead. */
const MARGIN_MS = 800;
/** The caller's audio is moved if it differs from the clock by more. */
const MISALIGNED_MS = 200;
/** Pieces of the assistant's audio that are closer together are joined without a gap. */
const JOIN_MS = 20;
const QUIET_DB = -50;

/** Aligns the two sides of a call, as they are heard, to the clock from the capture's construction on. */
export class StereoCapture implements PlayoutTap {
  readonly sampleRateHz: number;
  readonly #clock: Clock;
  readonly #flushMs: number;
  readonly #onAudio: (pcm: Int16Array) => void;
  readonly #startedAt: number;
  readonly #window: StereoWindow;
  readonly #fromUser: Resampler;
  readonly #fromAssistant: Resampler;
  #userCursor = 0;
  #assistantCursor = 0;

  constructor({ clock, legRateHz, flushMs, onAudio }: Deps) {
    this.sampleRateHz = Math.min(legRateHz, MAX_RATE_HZ);
    this.#clock = clock;
    this.#flushMs = flushMs;
    this.#onAudio = onAudio;
    this.#startedAt = clock.now();
    this.#fromUser = createResampler(legRateHz, this.sampleRateHz);
    this.#fromAssistant = createResampler(legRateHz, this.sampleRateHz);
    this.#window = new StereoWindow(this.#samples(flushMs + MARGIN_MS));
  }

  /** The caller's audio that ended at this clock instant. */
  writeCaller(legPcm: Int16Array, endedAt: number): void {
    const pcm = this.#fromUser.process(legPcm);
    const end = this.#sampleAt(endedAt);
    const expected = end - pcm.length;
    const slack = this.#samples(MISALIGNED_MS);
    if (this.#userCursor < expected - slack) this.#userCursor = expected;
    // Late audio came in a burst: drops silence until the channel is on time again.
    else if (this.#userCursor > expected + slack && peakDb(pcm) < QUIET_DB) return;
    this.#flushDue(end);
    this.#window.write('user', this.#userCursor, pcm);
    this.#userCursor += pcm.length;
  }

  write(legPcm: Int16Array, atMs: number): void {
    const pcm = this.#fromAssistant.process(legPcm);
    const expected = this.#sampleAt(atMs);
    // Joins pieces of one utterance sample to sample, since a gap from rounding would be audible.
    if (Math.abs(this.#assistantCursor - expected) > this.#samples(JOIN_MS)) {
      this.#assistantCursor = expected;
    }
    this.#flushDue(this.#sampleAt(this.#clock.now()));
    this.#window.write('assistant', this.#assistantCursor, pcm);
    this.#assistantCursor += pcm.length;
  }

  erase(fromMs: number): void {
    this.#assistantCursor = this.#sampleAt(fromMs);
    this.#window.erase('assistant', this.#assistantCursor);
  }

  /** Passes on the rest: until now, or all of the assistant's audio that was sent ahead. */
  close({ sentAhead } = { sentAhead: false }): void {
    const now = this.#sampleAt(this.#clock.now());
    this.#flush(sentAhead ? Math.max(now, this.#window.end) : now);
    this.#fromUser.close();
    this.#fromAssistant.close();
  }

  #sampleAt(atMs: number): number {
    return Math.max(0, Math.round(((atMs - this.#startedAt) * this.sampleRateHz) / 1000));
  }

  #samples(durationMs: number): number {
    return (durationMs * this.sampleRateHz) / 1000;
  }

  // Keeps back the newest 200 ms: the caller's audio for them may still arrive.
  #flushDue(now: number): void {
    const settled = now - this.#samples(MISALIGNED_MS);
    if (settled - this.#window.base >= this.#samples(this.#flushMs)) this.#flush(settled);
  }

  #flush(upTo: number): void {
    while (this.#window.base < upTo) this.#onAudio(this.#window.take(upTo));
  }
}
