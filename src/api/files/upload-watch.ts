import type { IncomingMessage } from 'node:http';

const IDLE_MS = 30_000;
const TOTAL_MS = 15 * 60_000;

/** Gives an upload up when its sender goes away, falls silent, or takes all too long. */
export class UploadWatch {
  readonly #request: IncomingMessage;
  readonly #controller = new AbortController();
  readonly #total: NodeJS.Timeout;
  readonly #idle: NodeJS.Timeout;
  #bytesRead = 0;
  #reason = 'The upload broke off';

  constructor(request: IncomingMessage) {
    this.#request = request;
    this.#idle = setInterval(this.#onTick, IDLE_MS);
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
    clearInterval(this.#idle);
    clearTimeout(this.#total);
    this.#request.off('close', this.#onClose);
  }

  readonly #onTick = (): void => {
    const { bytesRead } = this.#request.socket;
    if (bytesRead === this.#bytesRead) this.#giveUp();
    this.#bytesRead = bytesRead;
  };

  readonly #giveUp = (): void => {
    this.#reason = 'The upload took too long';
    this.#controller.abort();
  };

  readonly #onClose = (): void => {
    if (!this.#request.readableEnded) this.#controller.abort();
  };
}
