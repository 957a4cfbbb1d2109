import { peakDb } from '../../audio/level.ts';
import { createResampler, type Resampler } from '../../audio/resampler.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PlayoutTap } from '../outbound/far-end.ts';
import { StereoWindow } from './stereo-window.ts';

interface Deps {
  readonly clock: Clock;
  /** Rate of the audio that is handed in. */
  readonly legRateHz: number;
  /** Audio is handed on when there is this much of it. */
  readonly flushMs: number;
  /** Gets interleaved samples, the caller's first; they are its own. */
  readonly onAudio: (pcm: Int16Array) => void;
}

const MAX_RATE_HZ = 16_000;
/** What the window holds beside what is about to be handed on: audio that is settled, or sent ahead. */
const MARGIN_MS = 700;
const MISALIGNED_MS = 200;
const JOIN_MS = 20;
const QUIET_DB = -50;

/** The two sides of a call as they are heard, on the clock's time line from the moment the tape was made. */
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
  heard(legPcm: Int16Array, endedAt: number): void {
    const pcm = this.#fromUser.process(legPcm);
    const end = this.#sampleAt(endedAt);
    const expected = end - pcm.length;
    const slack = this.#samples(MISALIGNED_MS);
    if (this.#userCursor < expected - slack) this.#userCursor = Math.max(0, expected);
    // Late audio came in a burst: silence is dropped until the channel is on time again.
    else if (this.#userCursor > expected + slack && peakDb(pcm) < QUIET_DB) return;
    this.#flushDue(end);
    this.#window.write('user', this.#userCursor, pcm);
    this.#userCursor += pcm.length;
  }

  write(legPcm: Int16Array, atMs: number): void {
    const pcm = this.#fromAssistant.process(legPcm);
    const expected = this.#sampleAt(atMs);
    // Pieces of one utterance are joined sample to sample: rounding must not be heard.
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

  /** Hands on the rest. */
  close(): void {
    this.#flush(this.#sampleAt(this.#clock.now()));
    this.#fromUser.close();
    this.#fromAssistant.close();
  }

  #sampleAt(atMs: number): number {
    return Math.max(0, Math.round(((atMs - this.#startedAt) * this.sampleRateHz) / 1000));
  }

  #samples(durationMs: number): number {
    return (durationMs * this.sampleRateHz) / 1000;
  }

  // The newest stretch waits: the caller's audio of it may still be on its way.
  #flushDue(now: number): void {
    const settled = now - this.#samples(MISALIGNED_MS);
    if (settled - this.#window.base >= this.#samples(this.#flushMs)) this.#flush(settled);
  }

  #flush(upTo: number): void {
    while (this.#window.base < upTo) this.#onAudio(this.#window.take(upTo));
  }
}
