import { setTimeout as delay } from 'node:timers/promises';

const METRIC = /^nodejs_eventloop_lag_max_seconds(?:\{[^}]*\})? (\S+)$/m;
const EVERY_MS = 500;

/** How late the service's thread of calls was, by its own metrics. */
export class ServiceLag {
  readonly #url: string;
  readonly #stopped = new AbortController();
  readonly #spans: { readonly fromMs: number; readonly toMs: number; readonly byMs: number }[] = [];
  readonly #watching: Promise<void>;

  constructor(serviceUrl: string) {
    this.#url = `${serviceUrl}/metrics`;
    this.#watching = this.#watch();
  }

  /** The worst between two instants of `performance.now()`, ms. */
  worstBetween(fromMs: number, toMs: number): number {
    const within = this.#spans.filter((span) => span.toMs >= fromMs && span.fromMs <= toMs);
    return within.reduce((most, { byMs }) => Math.max(most, byMs), 0);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopped;
    let fromMs = performance.now();
    while (!signal.aborted) {
      await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
      const response = await fetch(this.#url, { signal }).catch(() => undefined);
      const text = (await response?.text()) ?? '';
      const toMs = performance.now();
      const seconds = Number(METRIC.exec(text)?.[1] ?? Number.NaN);
      // A service that does not answer is late as well.
      this.#spans.push({ fromMs, toMs, byMs: seconds >= 0 ? seconds * 1000 : toMs - fromMs });
      fromMs = toMs;
    }
  }
}
