import type { IncomingMessage } from 'node:http';

const TOTAL_MS = 15 * 60_000;

/** Gives an upload up when its sender goes away or takes all too long; one that is too slow is cut off before. */
export class UploadWatch {
  readonly #request: IncomingMessage;
  readonly #controller = new AbortController();
  readonly #total: NodeJS.Timeout;
  #reason = 'The upload broke off';

  constructor(request: IncomingMessage) {
    this.#request = request;
    this.#total = setTimeout(this.#giveUp, TOTAL_MS);
    request.on('close', this.#onClose);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why it was given up, for the client. */
  get reason(): string {
    return this.#reason;
  }

  stop(): void {
    clearTimeout(this.#total);
    this.#request.off('close', this.#onClose);
  }

  readonly #giveUp = (): void => {
    this.#reason = 'The upload took too long';
    this.#controller.abort();
  };

  readonly #onClose = (): void => {
    if (!this.#request.readableEnded) this.#controller.abort();
  };
}
