import { open, rm } from 'node:fs/promises';
import { WAV_HEADER_BYTES, wavHeader, wavLengthPatches } from '../../audio/wav-header.ts';
import { writeWhole } from '../../lib/content-file.ts';
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
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

/** What earlier processes have recorded of the same call. */
export interface EarlierRecordings {
  /** Joins it with the file of this process, if there is one; undefined if there is nothing. */
  join(signal: AbortSignal): Promise<RecordingInfo | undefined>;
  remove(): Promise<void>;
}

interface Deps {
  readonly clock: Clock;
  readonly path: string;
  /** Rate of the audio passed in. */
  readonly legRateHz: number;
  /** The disk failed: the call goes on, its recording ends here. Called once. */
  readonly onError: (error: unknown) => void;
  readonly earlier?: EarlierRecordings | undefined;
  /** @defaultValue a new file that only its owner may read */
  readonly openFile?: (path: string) => Promise<RecordingFile>;
  /** Makes the recording of the complete file; undefined if there is to be none. @defaultValue the file is the recording */
  readonly finish?: (
    own: RecordingInfo | undefined,
    signal: AbortSignal,
  ) => Promise<RecordingInfo | undefined>;
  /** Nothing is recorded until `begin`; without it there is no recording. @defaultValue false */
  readonly held?: boolean;
}

/** A killed process loses at most this and the newest 200 ms, which wait for late audio. */
const FLUSH_MS = 600;
const MAX_BACKLOG_BYTES = 8 << 20;
const CLOSE_MS = 5000;
/** The longest that the end of a call waits for its recording to be made of the closed files. */
const MAKE_MS = 60_000;

/**
 * Streams a call to a two-channel WAV file: caller left, assistant right, both aligned to the clock from the
 * recorder's construction on. Until the end the header says "unknown length", so that the file of a killed process
 * still plays.
 */
export class Recorder implements PlayoutTap {
  readonly path: string;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #earlier: Deps['earlier'];
  readonly #capture: StereoCapture;
  readonly #file: Promise<RecordingFile | undefined>;
  readonly #startedAt: number;
  #bytes = 0;
  /** Bytes in the file without a gap. */
  #writtenBytes = 0;
  #backlogBytes = 0;
  #failed = false;
  #held: boolean;
  #closing: Promise<RecordingInfo | undefined> | undefined;
  /** Ms since the beginning; nothing later is kept. */
  #untilMs = Number.POSITIVE_INFINITY;
  readonly #makeRecording: Deps['finish'];
  #tail: Promise<void> = Promise.resolve();

  constructor(deps: Deps) {
    const { clock, path, legRateHz, onError, earlier, openFile = openPrivately } = deps;
    this.path = path;
    this.#clock = clock;
    this.#startedAt = clock.now();
    this.#onError = onError;
    this.#earlier = earlier;
    this.#makeRecording = deps.finish;
    this.#held = deps.held ?? false;
    this.#capture = new StereoCapture({
      clock,
      legRateHz,
      flushMs: FLUSH_MS,
      onAudio: (pcm) => this.#append(new Uint8Array(pcm.buffer)),
    });
    this.#file = openFile(path).catch((error) => this.#fail(error));
    this.#append(wavHeader({ sampleRateHz: this.#capture.sampleRateHz, channels: 2 }));
  }

  /** Begins to record, where that had to wait; what was passed in before is silence. */
  begin(): void {
    this.#held = false;
  }

  get isOpen(): boolean {
    return !this.#closing;
  }

  /** The caller's audio that ended at this clock instant. */
  writeCaller(legPcm: Int16Array, endedAt: number): void {
    // Silence is written as it passes, so that it does not come all at once when the recording begins.
    const pcm = this.#held ? new Int16Array(legPcm.length) : legPcm;
    if (this.isOpen) this.#capture.writeCaller(pcm, endedAt);
  }

  write(legPcm: Int16Array, atMs: number): void {
    if (!this.#held && this.isOpen) this.#capture.write(legPcm, atMs);
  }

  erase(fromMs: number): void {
    if (this.isOpen) this.#capture.erase(fromMs);
  }

  /**
   * Writes the rest and the lengths. Resolves with undefined if there is no usable file. `untilMs`: nothing later than
   * that, since the beginning, is kept; 0: nothing at all, of earlier processes neither. Only the first call decides.
   */
  close({
    untilMs = Number.POSITIVE_INFINITY,
  }: {
    readonly untilMs?: number;
  } = {}): Promise<RecordingInfo | undefined> {
    if (!this.#closing) {
      this.#untilMs = this.#held ? 0 : untilMs;
      this.#closing = this.#close(untilMs <= 0);
    }
    return this.#closing;
  }

  /** Closes the file for whoever goes on with the call, and joins the files at its end. What was sent ahead is heard. */
  async leave(): Promise<void> {
    this.#closing ??= this.#untilClosed(this.#closeOwn({ sentAhead: true }));
    await this.#closing;
  }

  async #close(isRefused: boolean): Promise<RecordingInfo | undefined> {
    const closing = this.#closeOwn();
    const closed = await this.#untilClosed(closing);
    const own = this.#untilMs > 0 ? closed : undefined;
    if (!closed && (this.#untilMs <= 0 || this.#makeRecording)) void this.#removeLate(closing);
    try {
      return await this.#inTime(async (signal) => {
        if (this.#untilMs > 0 && this.#makeRecording) return this.#makeRecording(own, signal);
        if (this.#untilMs <= 0) await this.#remove(signal);
        if (isRefused) {
          await this.#earlier?.remove();
          return undefined;
        }
        // Without a file of its own, those of earlier processes are still to be joined.
        const joined = await this.#earlier?.join(signal);
        // Of the joined file too only the beginning is there if the disk failed.
        return joined
          ? { ...joined, ...(own?.stoppedAt ? { stoppedAt: own.stoppedAt } : {}) }
          : own;
      });
    } catch (error) {
      this.#fail(error);
      return this.#makeRecording ? undefined : own;
    }
  }

  async #remove(signal: AbortSignal): Promise<void> {
    await this.#makeRecording?.(undefined, signal);
    await rm(this.path, { force: true });
  }

  /** A disk that hung may create the file only after it was removed. */
  async #removeLate(closing: Promise<unknown>): Promise<void> {
    await closing;
    await this.#inTime((signal) => this.#remove(signal)).catch((error) => this.#fail(error));
  }

  /** Rejects after a minute, whether or not the work heeds its signal: a call must end though its disk hangs. */
  async #inTime<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const abort = new AbortController();
    const late = Promise.withResolvers<never>();
    const timer = this.#clock.setTimeout(() => {
      const error = new Error('the recording could not be made of its files in time');
      abort.abort(error);
      late.reject(error);
    }, MAKE_MS);
    try {
      return await Promise.race([work(abort.signal), late.promise]);
    } finally {
      this.#clock.clearTimeout(timer);
    }
  }

  /** Undefined if the disk has not closed the file in time. */
  async #untilClosed(
    closing: Promise<RecordingInfo | undefined>,
  ): Promise<RecordingInfo | undefined> {
    const timeout = Promise.withResolvers<undefined>();
    const timer = this.#clock.setTimeout(() => timeout.resolve(undefined), CLOSE_MS);
    try {
      return await Promise.race([closing, timeout.promise]);
    } finally {
      this.#clock.clearTimeout(timer);
    }
  }

  async #closeOwn(kept = { sentAhead: false }): Promise<RecordingInfo | undefined> {
    this.#capture.close(kept);
    const file = await this.#file;
    await this.#tail;
    if (!file) return undefined;
    // Leaves out an incomplete last sample.
    const written = Math.floor(Math.max(0, this.#writtenBytes - WAV_HEADER_BYTES) / 4) * 4;
    const mostFrames = Math.floor((this.#untilMs * this.#capture.sampleRateHz) / 1000);
    const dataBytes = Math.min(written, mostFrames * 4);
    try {
      // Overwrites bytes that the file already has, which works on a full disk too.
      for (const { offset, bytes } of wavLengthPatches(dataBytes)) {
        await writeWhole(file, bytes, offset);
      }
      if (dataBytes < written) await file.truncate(WAV_HEADER_BYTES + dataBytes);
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
