/** When an idle thread ends, to free its memory. */
export interface IdleRule {
  /** @defaultValue 30000 */
  readonly idleMs?: number;
  /** True while there is a live call that may need the thread and must not wait for one to start. @defaultValue always false */
  readonly inCall?: () => boolean;
}

const IDLE_MS = 30_000;

/** Calls `end` once its owner has been idle for the configured time and no call is live. */
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

  /** Reports that the owner is in use or closed. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Reports that the owner is idle. */
  start(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#inCall()) this.start();
      else this.#end();
    }, this.#idleMs);
    this.#timer.unref();
  }
}
