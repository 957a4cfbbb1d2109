import type { Track } from '../audio/track.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Caller, CallerEnd } from '../testing/spoken/caller.ts';
import { CallerError, type WebCaller } from './web-caller.ts';

interface Options {
  readonly clock: Clock;
  /** The connection broke and is being resumed; with the time on the caller's clock. */
  readonly onLost: (atMs: number) => void;
}

/** How long the service keeps a call open after the connection is lost. */
const RESUME_MS = 15_000;
/** At once: another process of the service may have the call. */
const RETRY_MS = [0, 100, 200, 300, 500, 1000, 2000] as const;

/** A web client that comes back to its call when the connection breaks, as a browser does. */
export class ReturningCaller implements Caller {
  readonly #caller: WebCaller;
  readonly #options: Options;
  readonly #end = Promise.withResolvers<CallerEnd>();
  #isOver = false;
  #timer: Timer | undefined;
  #wake: () => void = () => undefined;

  /** Takes over a caller whose call was answered. */
  constructor(caller: WebCaller, options: Options) {
    this.#caller = caller;
    this.#options = options;
    void this.#follow();
  }

  get callId(): string {
    return this.#caller.callId;
  }

  get ended(): Promise<CallerEnd> {
    return this.#end.promise;
  }

  get elapsedMs(): number {
    return this.#caller.elapsedMs;
  }

  get sampleRateHz(): number {
    return this.#caller.sampleRateHz;
  }

  get tracks(): { readonly microphone: Track; readonly speaker: Track } {
    return this.#caller.tracks;
  }

  say(pcm: Int16Array): { readonly fromMs: number; readonly spoken: Promise<void> } {
    return this.#caller.say(pcm);
  }

  hangup(): void {
    this.#isOver = true;
    this.#stopWaiting();
    this.#caller.hangup();
  }

  close(): void {
    this.#isOver = true;
    this.#stopWaiting();
    this.#caller.close();
  }

  async #follow(): Promise<void> {
    for (;;) {
      const end = await this.#caller.ended;
      // A reason means that the service has ended the call.
      if (end.reason === undefined && (await this.#comeBack())) continue;
      this.#end.resolve(end);
      return;
    }
  }

  /** True if the caller has another end to wait for or to tell. */
  async #comeBack(): Promise<boolean> {
    const { clock, onLost } = this.#options;
    if (this.#isOver) return false;
    onLost(this.#caller.elapsedMs);
    const untilMs = clock.now() + RESUME_MS;
    for (let attempt = 0; clock.now() < untilMs; attempt++) {
      await this.#wait(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] as number);
      if (this.#isOver) return false;
      try {
        await this.#caller.resume();
        // What was said to a connection that was not there yet has not arrived.
        if (this.#isOver) this.#caller.hangup();
        return true;
      } catch (error) {
        // The service is there and does not know the call any more.
        if (error instanceof CallerError && error.code === 'unknown-token') return false;
        // It has said how the call ended meanwhile.
        if ((await this.#caller.ended).reason !== undefined) return true;
      }
    }
    return false;
  }

  #wait(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    this.#timer = this.#options.clock.setTimeout(resolve, ms);
    return promise;
  }

  #stopWaiting(): void {
    this.#options.clock.clearTimeout(this.#timer);
    this.#wake();
  }
}
