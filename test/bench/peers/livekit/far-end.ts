import type { WebSocket } from 'ws';
import type { AudioFrame, AudioInput, AudioOutput, LiveKit } from './packages.ts';

/** What callers send, and are sent: PCM16, mono. */
export const RATE_HZ = 16_000;
/** How far ahead of the ear sound is sent: the queue of their own output to a room (`room_io.ts`, `queueSizeMs`). */
const AHEAD_MS = 200;

/** The caller's voice as an input of a session: each frame as it comes. */
export type CallerInput = AudioInput & { push(bytes: Buffer): void };

/** The session's voice on its way to the caller, by the messages of the web media socket. */
export type CallerOutput = AudioOutput & {
  /** The caller has heard all up to this mark. */
  played(mark: string): void;
};

export function createCallerInput({ agents, rtc }: LiveKit): CallerInput {
  class Input extends agents.voice.AudioInput {
    readonly #channel = agents.stream.createStreamChannel<AudioFrame>();
    #isClosed = false;

    constructor() {
      super();
      this.multiStream.addInputStream(this.#channel.stream());
    }

    push(bytes: Buffer): void {
      if (this.#isClosed) return;
      // A frame owns its memory, whole: their clients send all of it.
      const samples = new Int16Array(bytes.length / 2);
      new Uint8Array(samples.buffer).set(bytes);
      void this.#channel.write(new rtc.AudioFrame(samples, RATE_HZ, 1, samples.length));
    }

    override async close(): Promise<void> {
      this.#isClosed = true;
      await this.#channel.close();
      await super.close();
    }
  }
  return new Input();
}

/** Does what their output to a room does (`room_io/_output.ts`): a queue of 200 ms, a pause that drops it, and a clear. */
export function createCallerOutput({ agents }: LiveKit, socket: WebSocket): CallerOutput {
  class Output extends agents.voice.AudioOutput {
    #segment = 0;
    #isFlushed = false;
    #isPaused = false;
    #generation = 0;
    /** Of this segment, ms. */
    #sentMs = 0;
    #droppedMs = 0;
    /** When the caller will have heard what was sent. */
    #playedTo = 0;
    #wake: (() => void) | undefined;

    constructor() {
      super(RATE_HZ, undefined, { pause: true });
    }

    override async captureFrame(frame: AudioFrame): Promise<void> {
      const generation = this.#generation;
      await super.captureFrame(frame);
      while (this.#isPaused || this.#aheadMs >= AHEAD_MS) {
        if (generation !== this.#generation) return;
        await this.#waitUntilRoom();
      }
      if (generation !== this.#generation) return;
      if (this.#sentMs === 0) this.onPlaybackStarted(Date.now());
      const durationMs = (frame.samplesPerChannel * 1000) / frame.sampleRate;
      this.#sentMs += durationMs;
      this.#playedTo = Math.max(this.#playedTo, performance.now()) + durationMs;
      const { buffer, byteOffset, byteLength } = frame.data;
      socket.send(Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength));
    }

    override flush(): void {
      super.flush();
      if (this.pendingPlayoutSegments === 0 || this.#isFlushed) return;
      this.#isFlushed = true;
      this.#tell({ type: 'mark', mark: `segment-${this.#segment}` });
    }

    override clearBuffer(): void {
      this.#generation++;
      this.#wake?.();
      super.flush();
      if (this.pendingPlayoutSegments === 0) return;
      this.#droppedMs += this.#aheadMs;
      this.#dropQueue();
      this.#finish(true);
    }

    override pause(): void {
      super.pause();
      this.#isPaused = true;
      // What ends a segment is heard out.
      if (this.#isFlushed || this.#aheadMs === 0) return;
      this.#droppedMs += this.#aheadMs;
      this.#dropQueue();
    }

    override resume(): void {
      super.resume();
      this.#isPaused = false;
      this.#wake?.();
    }

    played(mark: string): void {
      if (mark === `segment-${this.#segment}`) this.#finish(false);
    }

    get #aheadMs(): number {
      return Math.max(0, this.#playedTo - performance.now());
    }

    #waitUntilRoom(): Promise<void> {
      return new Promise((resolve) => {
        const timer = this.#isPaused
          ? undefined
          : setTimeout(() => this.#wake?.(), Math.max(0, this.#aheadMs - AHEAD_MS));
        this.#wake = () => {
          clearTimeout(timer);
          this.#wake = undefined;
          resolve();
        };
      });
    }

    #dropQueue(): void {
      this.#playedTo = performance.now();
      this.#tell({ type: 'clear' });
    }

    #finish(interrupted: boolean): void {
      const playbackPosition = Math.max(0, this.#sentMs - this.#droppedMs) / 1000;
      this.#segment++;
      this.#isFlushed = false;
      this.#sentMs = 0;
      this.#droppedMs = 0;
      if (this.pendingPlayoutSegments > 0)
        this.onPlaybackFinished({ playbackPosition, interrupted });
    }

    #tell(message: object): void {
      socket.send(JSON.stringify(message));
    }
  }
  return new Output();
}
