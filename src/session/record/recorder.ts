import { open } from 'node:fs/promises';
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
  /** The disk failed at this instant (ISO 8601): the file holds nothing after it. */
  readonly stoppedAt?: string;
}

/** The part of a file handle that the recorder uses. */
export interface RecordingFile {
  /** May write fewer bytes than given, as the operating system may. */
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesWritten: number }>;
  close(): Promise<void>;
}

interface Deps {
  readonly clock: Clock;
  readonly path: string;
  /** Rate of the audio passed in. */
  readonly legRateHz: number;
  /** The disk failed: the call goes on, its recording ends here. Called once. */
  readonly onError: (error: unknown) => void;
  /** Joins the file with those of earlier processes, once it is complete; undefined if there are none. */
  readonly join?: (() => Promise<RecordingInfo | undefined>) | undefined;
  /** @defaultValue a new file that only its owner may read */
  readonly openFile?: (path: string) => Promise<RecordingFile>;
}

/** A killed process loses at most this and the newest 200 ms, which wait for late audio. */
const FLUSH_MS = 600;
const MAX_BACKLOG_BYTES = 8 << 20;
const CLOSE_MS = 5000;

/**
 * Streams a call to a two-channel WAV file: caller left, assistant right, both aligned to the clock from the
 * recorder's construction on. Until the end the header says "unknown length", so that the file of a killed process
 * still plays.
 */
export class Recorder implements PlayoutTap {
  readonly path: string;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #join: Deps['join'];
  readonly #capture: StereoCapture;
  readonly #file: Promise<RecordingFile | undefined>;
  readonly #startedAt: number;
  #bytes = 0;
  /** Bytes in the file without a gap. */
  #writtenBytes = 0;
  #backlogBytes = 0;
  #failed = false;
  #tail: Promise<void> = Promise.resolve();

  constructor({ clock, path, legRateHz, onError, join, openFile = openPrivately }: Deps) {
    this.path = path;
    this.#clock = clock;
    this.#startedAt = clock.now();
    this.#onError = onError;
    this.#join = join;
    this.#capture = new StereoCapture({
      clock,
      legRateHz,
      flushMs: FLUSH_MS,
      onAudio: (pcm) => this.#append(new Uint8Array(pcm.buffer)),
    });
    this.#file = openFile(path).catch((error) => this.#fail(error));
    this.#append(wavHeader({ sampleRateHz: this.#capture.sampleRateHz, channels: 2 }));
  }

  /** The caller's audio that ended at this clock instant. */
  writeCaller(legPcm: Int16Array, endedAt: number): void {
    this.#capture.writeCaller(legPcm, endedAt);
  }

  write(legPcm: Int16Array, atMs: number): void {
    this.#capture.write(legPcm, atMs);
  }

  erase(fromMs: number): void {
    this.#capture.erase(fromMs);
  }

  /** Writes the rest and the lengths. Resolves with undefined if there is no usable file. */
  async close(): Promise<RecordingInfo | undefined> {
    const own = await this.#closeOwn();
    if (!own) return undefined;
    try {
      const joined = await this.#join?.();
      // Of the joined file too only the beginning is there if the disk failed.
      return joined ? { ...joined, ...(own.stoppedAt ? { stoppedAt: own.stoppedAt } : {}) } : own;
    } catch (error) {
      this.#fail(error);
      return own;
    }
  }

  async #closeOwn(): Promise<RecordingInfo | undefined> {
    this.#capture.close();
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
    // Leaves out an incomplete last sample.
    const dataBytes = Math.floor(Math.max(0, this.#writtenBytes - WAV_HEADER_BYTES) / 4) * 4;
    try {
      // Overwrites bytes that the file already has, which works on a full disk too.
      for (const { offset, bytes } of wavLengthPatches(dataBytes)) {
        await writeWhole(file, bytes, offset);
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      await file.close().catch((error) => this.#fail(error));
    }
    if (this.#writtenBytes < WAV_HEADER_BYTES) return undefined;
    const durationMs = Math.round((dataBytes / 4 / this.#capture.sampleRateHz) * 1000);
    return {
      path: this.path,
      sampleRateHz: this.#capture.sampleRateHz,
      durationMs,
      bytes: WAV_HEADER_BYTES + dataBytes,
      ...(this.#failed ? { stoppedAt: new Date(this.#startedAt + durationMs).toISOString() } : {}),
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
      await writeWhole(file, bytes, position, (written) => {
        this.#writtenBytes += written;
      }).catch((error) => this.#fail(error));
    });
  }

  #fail(error: unknown): undefined {
    if (!this.#failed) this.#onError(error);
    this.#failed = true;
    return undefined;
  }
}

function openPrivately(path: string): Promise<RecordingFile> {
  return open(path, 'w', PRIVATE_FILE);
}

/** A disk that runs full writes a part of the bytes and fails only at the next write. */
async function writeWhole(
  file: RecordingFile,
  bytes: Uint8Array,
  position: number,
  onWritten: (bytes: number) => void = () => undefined,
): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at);
    if (bytesWritten === 0) throw new Error('the disk accepted no bytes');
    onWritten(bytesWritten);
    at += bytesWritten;
  }
}
