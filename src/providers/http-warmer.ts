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
/** For so many requests of the last {@link FRESH_MS}, one connection is kept free. */
const REQUESTS_PER_SPARE = 4;
const MAX_SPARE = 8;

/**
 * Opens connections to an HTTP vendor before they are needed, which saves DNS lookup, TCP handshake and TLS, and the turns
 * of the loop that these take. The more requests there are, the more connections are kept free: turns of several calls may
 * end together, and the connection of a request that was aborted is lost.
 */
export class HttpWarmer {
  readonly #options: HttpWarmerOptions;
  /** Requests under way, those of this class too. */
  #busy = 0;
  /** When requests of the last {@link FRESH_MS} began. */
  readonly #begunAt: number[] = [];
  /** How many connections were open at some time of the last {@link FRESH_MS}; the counts fall, and the times rise. */
  #seen: { readonly at: number; readonly open: number }[] = [];
  /** Connections of requests that were aborted, since the start; of them, those that others were opened for. */
  #lost = 0;
  #replaced = 0;
  #warming = false;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(options: HttpWarmerOptions) {
    this.#options = options;
  }

  /** Call it when a request begins, and what it returns when it is over: `isKept` if its connection stays open. */
  use(): (isKept: boolean) => void {
    this.#begunAt.push(this.#options.clock.now());
    this.#busy++;
    this.#saw(this.#busy);
    return (isKept) => {
      this.#busy--;
      if (!isKept) {
        this.#lost++;
        this.#seen = this.#seen.map(({ at, open }) => ({ at, open: open - 1 }));
      }
      // Only now: while a request begins, it would be given the free connection that the request is about to take.
      this.#openSpare();
    };
  }

  /** Connects if no connection is free. Sends no credentials and requests no work. */
  warm(): void {
    if (!this.#warming && this.#free() < 1) void this.#open(1);
  }

  #openSpare(): void {
    const since = this.#options.clock.now() - FRESH_MS;
    while ((this.#begunAt[0] ?? Infinity) <= since) this.#begunAt.shift();
    const wanted = Math.min(MAX_SPARE, Math.floor(this.#begunAt.length / REQUESTS_PER_SPARE));
    if (this.#warming || this.#failedAt > since) return;
    // The client would give the next request the place of a lost connection, whichever others are free.
    const count = this.#free() < wanted ? wanted : Math.min(1, this.#lost - this.#replaced);
    if (count === 0) return;
    this.#replaced = this.#lost;
    // Those that are free answer some of the requests: only so many at once need as many connections.
    void this.#open(count);
  }

  #free(): number {
    const since = this.#options.clock.now() - FRESH_MS;
    return (this.#seen.find(({ at }) => at > since)?.open ?? 0) - this.#busy;
  }

  #saw(open: number): void {
    const at = this.#options.clock.now();
    const kept = this.#seen.filter((one) => one.open > open && one.at > at - FRESH_MS);
    this.#seen = [...kept, { at, open }];
  }

  async #open(count: number): Promise<void> {
    this.#warming = true;
    this.#busy += count;
    const open = this.#busy + this.#lost;
    const connected = await Promise.all(Array.from({ length: count }, () => this.#connect()));
    this.#busy -= count;
    this.#warming = false;
    if (connected.every((isConnected) => isConnected)) this.#saw(open - this.#lost);
    else this.#failedAt = this.#options.clock.now();
    // Some may have been lost meanwhile.
    this.#openSpare();
  }

  async #connect(): Promise<boolean> {
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
      return true;
    } catch {
      // The request that needs the connection reports the error.
      return false;
    } finally {
      clock.clearTimeout(timer);
    }
  }
}
