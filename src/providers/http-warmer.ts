import type { OutboundFetch } from '../lib/guarded-fetch.ts';
import type { Clock } from '../ports/clock.ts';

export interface HttpWarmerOptions {
  readonly fetch: OutboundFetch;
  /** Any URL on the server. */
  readonly url: string;
  readonly clock: Clock;
}

/** Shorter than the keep-alive (30 s on our side, often less on servers). */
const FRESH_MS = 20_000;
const TIMEOUT_MS = 3000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** Opens a connection to an HTTP vendor before it is needed, which saves DNS lookup, TCP handshake and TLS. */
export class HttpWarmer {
  readonly #options: HttpWarmerOptions;
  #freshUntil = Number.NEGATIVE_INFINITY;
  #warming = false;

  constructor(options: HttpWarmerOptions) {
    this.#options = options;
  }

  /** A request has succeeded and left its connection open. */
  used(): void {
    this.#freshUntil = this.#options.clock.now() + FRESH_MS;
  }

  /** Connects if the last request is too long ago. Sends no credentials and requests no work. */
  warm(): void {
    if (this.#warming || this.#options.clock.now() < this.#freshUntil) return;
    this.#warming = true;
    void this.#connect().finally(() => {
      this.#warming = false;
    });
  }

  async #connect(): Promise<void> {
    const { fetch, url, clock } = this.#options;
    const controller = new AbortController();
    const timer = clock.setTimeout(() => controller.abort(), TIMEOUT_MS);
    try {
      // Not HEAD: the client drops a connection after a HEAD request.
      const response = await fetch(new URL('/', url).href, {
        signal: controller.signal,
        maxResponseBytes: MAX_ANSWER_BYTES,
      });
      // Read the body to its end; otherwise the connection is not kept.
      for await (const _ of response.body);
      this.used();
    } catch {
      // The request that needs the connection reports the error.
    } finally {
      clock.clearTimeout(timer);
    }
  }
}
