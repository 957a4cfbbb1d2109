import { ProviderError } from '../../lib/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FailureClass } from '../../ports/provider-failure.ts';

export interface CircuitBreakerOptions {
  /** Failures in a row that open it. @defaultValue 3 */
  readonly failures?: number;
  /** How long it stays open before one is let through to try. @defaultValue 15000 */
  readonly openMs?: number;
}

/** Failures that say something of the vendor; the others are of what it was asked. */
const OF_THE_VENDOR: ReadonlySet<FailureClass> = new Set([
  ...(['auth', 'quota', 'rate', 'network', 'timeout', 'protocol', 'silent'] as const),
]);

/** Remembers whether a vendor is worth asking, so that callers do not each wait for it to fail. */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #failures: number;
  readonly #openMs: number;
  #inARow = 0;
  #tryAt = 0;

  constructor(clock: Clock, options: CircuitBreakerOptions = {}) {
    this.#clock = clock;
    this.#failures = options.failures ?? 3;
    this.#openMs = options.openMs ?? 15_000;
  }

  /** Whether to ask; while it is open, one in each period may. */
  allows(): boolean {
    if (this.#inARow < this.#failures) return true;
    const now = this.#clock.now();
    if (now < this.#tryAt) return false;
    this.#tryAt = now + this.#openMs;
    return true;
  }

  succeeded(): void {
    this.#inARow = 0;
  }

  failed(error: unknown): void {
    if (!(error instanceof ProviderError) || !OF_THE_VENDOR.has(error.class)) return;
    this.#inARow++;
    const restMs = Math.max(this.#openMs, error.retryAfterMs ?? 0);
    if (this.#inARow >= this.#failures) this.#tryAt = this.#clock.now() + restMs;
  }
}

/** Why a vendor was not even asked. */
export function leftOut(provider: string): ProviderError {
  const message = `${provider} failed lately and is left out for now`;
  return new ProviderError({ class: 'network', provider, code: 'circuit_open', message });
}
