import type { Clock } from '../../ports/clock.ts';
import { AUDIBLE_WINDOW_MS, AudibleVoice } from './audible.ts';
import type { Caller } from './caller.ts';
import type { PutThrough } from './put-through.ts';

/** Silence that ends an answer; shorter silences occur between its sentences. */
export const SETTLED_MS = 700;
/** For whoever may be put through: an operator is dialled after the assistant has said so. */
const SETTLED_DIALLING_MS = 1500;
const POLL_MS = 20;
/** Pauses shorter than this are part of speech. */
const GAP_MS = 100;

/** What a caller's client is told of the call: its type, with `state` what the assistant does, with `status` the call's. */
export interface CallFrame {
  readonly type: string;
  readonly assistant?: string;
  readonly status?: string;
}

/** Whose sound is listened to. */
type Ear = Pick<Caller, 'elapsedMs' | 'sampleRateHz' | 'tracks' | 'ended'>;

interface Options {
  /** A caller who is being put through waits, and says nothing more to the assistant. */
  readonly putThrough?: PutThrough | undefined;
  /** Ends every wait, as the end of the call does. @defaultValue never */
  readonly stopped?: () => boolean;
}

/** Tracks whether the assistant is speaking, as a caller would: by its sound first, by its reported state second. */
export class Floor {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #putThrough: PutThrough | undefined;
  readonly #stopped: () => boolean;
  #caller: Ear | undefined;
  #assistant = 'idle';
  #ended = false;
  #quietSinceMs = 0;
  #voice = new AudibleVoice();
  #heardToMs = 0;
  #voiceAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    clock: Clock,
    signal: AbortSignal,
    { putThrough, stopped = () => false }: Options = {},
  ) {
    this.#clock = clock;
    this.#signal = signal;
    this.#putThrough = putThrough;
    this.#stopped = stopped;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Takes every frame from the service. */
  see(frame: CallFrame): void {
    if (frame.type === 'state') this.#assistant = frame.assistant ?? '';
    else if (frame.status === 'forwarded') this.#putThrough?.bridged();
    else if (frame.type === 'ended') this.#ended = true;
  }

  watch(caller: Ear): void {
    this.#caller = caller;
    void caller.ended.then(() => {
      this.#ended = true;
    });
  }

  /** Resolves with true once the caller hears the assistant, or with false if that does not happen in time. */
  async answerBegins(withinMs: number): Promise<boolean> {
    const deadline = this.#clock.now() + withinMs;
    return this.#until(
      () => this.#isPlaying(),
      () => deadline,
    );
  }

  /** Resolves after so long, or when the call has ended. */
  async waits(ms: number): Promise<void> {
    const deadline = this.#clock.now() + ms;
    await this.#until(
      () => false,
      () => deadline,
    );
  }

  /**
   * Resolves with true once the assistant has finished and stays quiet, or with false if time runs out or the call
   * ends. Time does not run out for who is being put through. `quietMs`: how long at least it stays quiet.
   */
  async answerEnds(withinMs: number, quietMs = SETTLED_MS): Promise<boolean> {
    const settledMs = Math.max(quietMs, this.#putThrough ? SETTLED_DIALLING_MS : SETTLED_MS);
    let deadline = this.#clock.now() + withinMs;
    this.#quietSinceMs = this.#clock.now();
    return this.#until(
      () => {
        const now = this.#clock.now();
        const waits = this.#putThrough?.isUnderWay ?? false;
        if (waits) deadline = now + withinMs;
        if (waits || this.#isPlaying() || this.#assistant !== 'idle') this.#quietSinceMs = now;
        return now - this.#quietSinceMs >= settledMs;
      },
      () => deadline,
    );
  }

  /** True while the assistant's voice is heard; background sound alone does not count. */
  #isPlaying(): boolean {
    const caller = this.#caller;
    if (!caller) return false;
    this.#listen(caller);
    return caller.elapsedMs - this.#voiceAtMs < GAP_MS;
  }

  #listen({ elapsedMs, sampleRateHz, tracks }: Ear): void {
    for (; this.#heardToMs + AUDIBLE_WINDOW_MS <= elapsedMs; this.#heardToMs += AUDIBLE_WINDOW_MS) {
      const from = Math.round((this.#heardToMs * sampleRateHz) / 1000);
      const window = Math.round((AUDIBLE_WINDOW_MS * sampleRateHz) / 1000);
      const pcm = tracks.speaker.read(from, from + window);
      if (this.#voice.judge(pcm)) this.#voiceAtMs = this.#heardToMs + AUDIBLE_WINDOW_MS;
    }
  }

  async #until(condition: () => boolean, deadline: () => number): Promise<boolean> {
    for (;;) {
      this.#signal.throwIfAborted();
      if (condition()) return true;
      if (this.#ended || this.#stopped() || this.#clock.now() >= deadline()) return false;
      await new Promise<void>((resolve) => {
        this.#clock.setTimeout(resolve, POLL_MS);
      });
    }
  }
}
