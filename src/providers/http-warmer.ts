import type { OutboundFetch } from '../lib/guarded-fetch.ts';
import type { Clock } from '../ports/clock.ts';

export interface HttpWarmerOptions {
  readonly fetch: OutboundFetch;
  /** Any address of the server's. */
  readonly url: string;
  readonly clock: Clock;
}

/** Shorter than connections are kept (30 s by us, often less by servers). */
const FRESH_MS = 20_000;
const TIMEOUT_MS = 3000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** Has a connection to an HTTP vendor open by the time it is needed: name, handshake and TLS are done. */
export class HttpWarmer {
  readonly #options: HttpWarmerOptions;
  #freshUntil = Number.NEGATIVE_INFINITY;
  #warming = false;

  constructor(options: HttpWarmerOptions) {
    this.#options = options;
  }

  /** An exchange just went well, and left its connection. */
  used(): void {
    this.#freshUntil = this.#options.clock.now() + FRESH_MS;
  }

  /** Connects when the last exchange is too long ago. Carries no credential and asks for nothing. */
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
      // Not HEAD: the client lets go of a connection after one.
      const response = await fetch(new URL('/', url).href, {
        signal: controller.signal,
        maxResponseBytes: MAX_ANSWER_BYTES,
      });
      // To its end, or the connection is not kept.
      for await (const _ of response.body);
      this.used();
    } catch {
      // The request that needs the connection says what is wrong with it.
    } finally {
      clock.clearTimeout(timer);
    }
  }
}
