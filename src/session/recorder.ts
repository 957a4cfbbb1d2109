import { type FileHandle, open } from 'node:fs/promises';
import { peakDb } from '../audio/level.ts';
import { createResampler, type Resampler } from '../audio/resampler.ts';
import { WAV_HEADER_BYTES, wavHeader, wavLengthPatches } from '../audio/wav-header.ts';
import type { Clock } from '../ports/clock.ts';
import type { PlayoutTap } from './far-end.ts';
import { StereoWindow } from './stereo-window.ts';

export interface RecordingInfo {
  readonly path: string;
  readonly sampleRateHz: number;
  readonly durationMs: number;
  readonly bytes: number;
}

interface Deps {
  readonly clock: Clock;
  readonly path: string;
  /** Rate of the audio that is handed in. */
  readonly legRateHz: number;
  /** The disk failed: the call goes on, its recording ends here. */
  readonly onError: (error: unknown) => void;
}

const MAX_RATE_HZ = 16_000;
const WINDOW_MS = 1250;
const FLUSH_MS = 400;
const MISALIGNED_MS = 200;
const JOIN_MS = 20;
const QUIET_DB = -50;
const MAX_BACKLOG_BYTES = 8 << 20;
const CLOSE_MS = 5000;

/**
 * Streams a call to a two-channel WAV file: caller left, assistant right, both on the clock's time line from
 * the moment it was made. The header says "unknown length" until the end, so that the file of a killed
 * process still plays.
 */
export class Recorder implements PlayoutTap {
  readonly path: string;
  readonly #clock: Clock;
  readonly #rateHz: number;
  readonly #onError: (error: unknown) => void;
  readonly #startedAt: number;
  readonly #window: StereoWindow;
  readonly #fromUser: Resampler;
  readonly #fromAssistant: Resampler;
  readonly #file: Promise<FileHandle | undefined>;
  #userCursor = 0;
  #assistantCursor = 0;
  #bytes = 0;
  #backlogBytes = 0;
  #failed = false;
  #tail: Promise<void> = Promise.resolve();

  constructor({ clock, path, legRateHz, onError }: Deps) {
    const sampleRateHz = Math.min(legRateHz, MAX_RATE_HZ);
    this.path = path;
    this.#clock = clock;
    this.#rateHz = sampleRateHz;
    this.#onError = onError;
    this.#startedAt = clock.now();
    this.#fromUser = createResampler(legRateHz, sampleRateHz);
    this.#fromAssistant = createResampler(legRateHz, sampleRateHz);
    this.#window = new StereoWindow((sampleRateHz * WINDOW_MS) / 1000);
    this.#file = open(path, 'w').catch((error) => this.#fail(error));
    this.#append(wavHeader({ sampleRateHz, channels: 2 }));
  }

  /** The caller's audio that ends now. */
  heard(legPcm: Int16Array): void {
    const pcm = this.#fromUser.process(legPcm);
    const now = this.#sampleAt(this.#clock.now());
    const expected = now - pcm.length;
    const slack = this.#samples(MISALIGNED_MS);
    if (this.#userCursor < expected - slack) this.#userCursor = Math.max(0, expected);
    // Late audio came in a burst: silence is dropped until the channel is on time again.
    else if (this.#userCursor > expected + slack && peakDb(pcm) < QUIET_DB) return;
    this.#flushDue(now);
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

  /** Writes the rest and the lengths. Undefined when there is no usable file. */
  async close(): Promise<RecordingInfo | undefined> {
    this.#flush(this.#sampleAt(this.#clock.now()));
    this.#fromUser.close();
    this.#fromAssistant.close();
    const ended = this.#finish();
    const timeout = Promise.withResolvers<undefined>();
    const timer = this.#clock.setTimeout(() => timeout.resolve(undefined), CLOSE_MS);
    try {
      return await Promise.race([ended, timeout.promise]);
    } finally {
      this.#clock.clearTimeout(timer);
    }
  }

  async #finish(): Promise<RecordingInfo | undefined> {
    const file = await this.#file;
    await this.#tail;
    if (!file) return undefined;
    const dataBytes = this.#bytes - WAV_HEADER_BYTES;
    try {
      for (const { offset, bytes } of wavLengthPatches(dataBytes)) {
        await file.write(bytes, 0, bytes.length, offset);
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      await file.close().catch((error) => this.#fail(error));
    }
    return {
      path: this.path,
      sampleRateHz: this.#rateHz,
      durationMs: Math.round((dataBytes / 4 / this.#rateHz) * 1000),
      bytes: this.#bytes,
    };
  }

  #sampleAt(atMs: number): number {
    return Math.max(0, Math.round(((atMs - this.#startedAt) * this.#rateHz) / 1000));
  }

  #samples(durationMs: number): number {
    return (durationMs * this.#rateHz) / 1000;
  }

  // The newest stretch waits: the caller's audio of it may still be on its way.
  #flushDue(now: number): void {
    const settled = now - this.#samples(MISALIGNED_MS);
    if (settled - this.#window.base >= this.#samples(FLUSH_MS)) this.#flush(settled);
  }

  #flush(upTo: number): void {
    while (this.#window.base < upTo) {
      const pcm = this.#window.take(upTo);
      this.#append(new Uint8Array(pcm.buffer));
    }
  }

  #append(bytes: Uint8Array): void {
    if (this.#failed) return;
    if (this.#backlogBytes > MAX_BACKLOG_BYTES) {
      this.#fail(new Error('the disk does not keep up with the recording'));
      return;
    }
    this.#backlogBytes += bytes.length;
    const position = this.#bytes;
    this.#bytes += bytes.length;
    this.#tail = this.#tail.then(async () => {
      const file = await this.#file;
      this.#backlogBytes -= bytes.length;
      if (!file || this.#failed) return;
      await file.write(bytes, 0, bytes.length, position).catch((error) => this.#fail(error));
    });
  }

  #fail(error: unknown): undefined {
    if (!this.#failed) this.#onError(error);
    this.#failed = true;
    return undefined;
  }
}
