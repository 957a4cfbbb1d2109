/** When an idle thread is ended, whose memory is worth more than the time to start it again. */
export interface IdleRule {
  /** @defaultValue 60000 */
  readonly idleMs?: number;
  /** True while there is a live call, which must not wait for a thread to start. @defaultValue always false */
  readonly inCall?: () => boolean;
}

const IDLE_MS = 60_000;

/** Calls `end` once its owner has been idle for the time of the rule and no call is live. */
export class IdleEnd {
  readonly #end: () => void;
  readonly #idleMs: number;
  readonly #inCall: () => boolean;
  #timer: NodeJS.Timeout | undefined;

  constructor({ idleMs = IDLE_MS, inCall = () => false }: IdleRule, end: () => void) {
    this.#end = end;
    this.#idleMs = idleMs;
    this.#inCall = inCall;
  }

  /** The owner is in use, or closed. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** The owner is idle from now on. */
  start(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#inCall()) this.start();
      else this.#end();
    }, this.#idleMs);
    this.#timer.unref();
  }
}
