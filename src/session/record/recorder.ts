import { type FileHandle, open } from 'node:fs/promises';
import { WAV_HEADER_BYTES, wavHeader, wavLengthPatches } from '../../audio/wav-header.ts';
import { PRIVATE_FILE } from '../../lib/private-files.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PlayoutTap } from '../outbound/far-end.ts';
import { StereoCapture } from './stereo-capture.ts';

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

/** A process that is killed loses as much, and the newest stretch, whose other side may still come. */
const FLUSH_MS = 600;
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
  readonly #onError: (error: unknown) => void;
  readonly #tape: StereoCapture;
  readonly #file: Promise<FileHandle | undefined>;
  #bytes = 0;
  #backlogBytes = 0;
  #failed = false;
  #tail: Promise<void> = Promise.resolve();

  constructor({ clock, path, legRateHz, onError }: Deps) {
    this.path = path;
    this.#clock = clock;
    this.#onError = onError;
    this.#tape = new StereoCapture({
      clock,
      legRateHz,
      flushMs: FLUSH_MS,
      onAudio: (pcm) => this.#append(new Uint8Array(pcm.buffer)),
    });
    this.#file = open(path, 'w', PRIVATE_FILE).catch((error) => this.#fail(error));
    this.#append(wavHeader({ sampleRateHz: this.#tape.sampleRateHz, channels: 2 }));
  }

  /** The caller's audio that ended at this clock instant. */
  heard(legPcm: Int16Array, endedAt: number): void {
    this.#tape.heard(legPcm, endedAt);
  }

  write(legPcm: Int16Array, atMs: number): void {
    this.#tape.write(legPcm, atMs);
  }

  erase(fromMs: number): void {
    this.#tape.erase(fromMs);
  }

  /** Writes the rest and the lengths. Undefined when there is no usable file. */
  async close(): Promise<RecordingInfo | undefined> {
    this.#tape.close();
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
      sampleRateHz: this.#tape.sampleRateHz,
      durationMs: Math.round((dataBytes / 4 / this.#tape.sampleRateHz) * 1000),
      bytes: this.#bytes,
    };
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
