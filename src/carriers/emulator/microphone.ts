import { Track } from '../../audio/track.ts';
import type { Clock, Timer } from '../../ports/clock.ts';

const FRAME_MS = 20;

interface MicrophoneOptions {
  readonly clock: Clock;
  readonly sampleRateHz: number;
  /** The clock instant of sample 0. */
  readonly startedAtMs: number;
  /** Mixes room sound into a frame. */
  readonly room?: (frame: Int16Array, fromSample: number) => void;
  /** Gets each frame at the instant of its last sample. */
  readonly onFrame: (frame: Int16Array) => void;
}

interface Speech {
  readonly pcm: Int16Array;
  /** Its start on the sample clock. */
  readonly fromSample: number;
  readonly spoken: () => void;
}

/** The caller's microphone: every 20 ms, on a fixed grid, a frame of speech or silence. */
export class Microphone {
  readonly track = new Track();
  readonly #options: MicrophoneOptions;
  readonly #frameSamples: number;
  readonly #speech: Speech[] = [];
  #frames = 0;
  #timer: Timer | undefined;
  #closed = false;

  constructor(options: MicrophoneOptions) {
    this.#options = options;
    this.#frameSamples = (options.sampleRateHz * FRAME_MS) / 1000;
    this.#schedule();
  }

  /** Queues speech; `spoken` resolves after its last sample, or on `close`. */
  say(pcm: Int16Array): { readonly fromSample: number; readonly spoken: Promise<void> } {
    const last = this.#speech.at(-1);
    const fromSample = last ? last.fromSample + last.pcm.length : this.#frames * this.#frameSamples;
    const { promise: spoken, resolve } = Promise.withResolvers<void>();
    if (this.#closed) resolve();
    else this.#speech.push({ pcm, fromSample, spoken: resolve });
    return { fromSample, spoken };
  }

  close(): void {
    this.#options.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#closed = true;
    for (const { spoken } of this.#speech.splice(0)) spoken();
  }

  #schedule(): void {
    if (this.#closed) return;
    const { clock, startedAtMs } = this.#options;
    const dueMs = startedAtMs + (this.#frames + 1) * FRAME_MS;
    this.#timer = clock.setTimeout(() => this.#tick(), Math.max(0, dueMs - clock.now()));
  }

  #tick(): void {
    const { clock, startedAtMs, room, onFrame } = this.#options;
    // A late tick makes up for the frames it missed, so the grid never drifts.
    const due = Math.floor((clock.now() - startedAtMs + 0.5) / FRAME_MS);
    while (this.#frames < due && !this.#closed) {
      const fromSample = this.#frames * this.#frameSamples;
      const frame = this.#take(fromSample);
      room?.(frame, fromSample);
      this.track.write(frame, fromSample);
      this.#frames++;
      onFrame(frame);
    }
    this.#schedule();
  }

  #take(fromSample: number): Int16Array {
    const frame = new Int16Array(this.#frameSamples);
    const toSample = fromSample + frame.length;
    for (let speech = this.#speech[0]; speech; speech = this.#speech[0]) {
      if (speech.fromSample >= toSample) break;
      const begin = Math.max(fromSample, speech.fromSample);
      const end = Math.min(toSample, speech.fromSample + speech.pcm.length);
      const piece = speech.pcm.subarray(begin - speech.fromSample, end - speech.fromSample);
      frame.set(piece, begin - fromSample);
      if (speech.fromSample + speech.pcm.length > toSample) break;
      this.#speech.shift();
      speech.spoken();
    }
    return frame;
  }
}
