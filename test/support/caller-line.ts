import { setImmediate as nextTurn } from 'node:timers/promises';
import type { VirtualClock } from '../../src/lib/virtual-clock.ts';
import type { Stt, SttEvent, SttOptions, SttStream } from '../../src/ports/stt.ts';
import { toneSpeech } from './tone-words.ts';

const FRAME_MS = 20;
const VAD_START_MS = 80;
const VAD_STOP_MS = 200;

/** A caller on a recogniser's line: speaks in frames as a call does, and notes everything that is heard. */
export class CallerLine {
  readonly events: SttEvent[] = [];
  readonly stream: SttStream;
  readonly #clock: VirtualClock;
  readonly #rateHz: number;
  /** One buffer for all frames, as callers are allowed to have. */
  readonly #frame: Int16Array;
  writtenMs = 0;

  private constructor(stream: SttStream, clock: VirtualClock, rateHz: number, events: SttEvent[]) {
    this.stream = stream;
    this.events = events;
    this.#clock = clock;
    this.#rateHz = rateHz;
    this.#frame = new Int16Array((rateHz * FRAME_MS) / 1000);
  }

  static async open(
    stt: Stt,
    clock: VirtualClock,
    options: Partial<SttOptions> = {},
  ): Promise<CallerLine> {
    const events: SttEvent[] = [];
    const sampleRateHz = options.sampleRateHz ?? (stt.inputRatesHz[0] as number);
    const stream = await stt.open({
      sampleRateHz,
      languages: ['en-US'],
      hints: [],
      phrases: [],
      onEvent: (event) => events.push(event),
      signal: new AbortController().signal,
      ...options,
    });
    return new CallerLine(stream, clock, sampleRateHz, events);
  }

  get finals() {
    return this.events.flatMap((event) => (event.type === 'final' ? [event] : []));
  }

  /** Everything that was understood for good. */
  get text(): string {
    return this.finals.map((event) => event.text).join(' ');
  }

  get errors() {
    return this.events.flatMap((event) => (event.type === 'error' ? [event.error] : []));
  }

  /** Says it, with voice activity noticing a moment late. */
  async say(text: string): Promise<void> {
    const startedMs = this.writtenMs;
    await this.#write(toneSpeech(text, this.#rateHz), () => {
      if (this.writtenMs - startedMs === VAD_START_MS) this.stream.speechStarted();
    });
  }

  async pause(ms: number): Promise<void> {
    const startedMs = this.writtenMs;
    await this.#write(new Int16Array((ms * this.#rateHz) / 1000), () => {
      if (this.writtenMs - startedMs === VAD_STOP_MS) this.stream.speechEnded();
    });
  }

  async #write(pcm: Int16Array, onFrame: () => void): Promise<void> {
    for (let at = 0; at < pcm.length; at += this.#frame.length) {
      this.#frame.fill(0);
      this.#frame.set(pcm.subarray(at, at + this.#frame.length));
      this.#clock.advanceTo(this.#clock.now() + FRAME_MS);
      this.stream.write(this.#frame);
      this.#frame.fill(12_345);
      this.writtenMs += FRAME_MS;
      onFrame();
      await nextTurn();
    }
  }
}
