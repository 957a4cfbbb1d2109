import { ProviderError } from '../../lib/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FailureClass } from '../../ports/provider-failure.ts';

export interface CircuitBreakerOptions {
  /** Consecutive failures that open the breaker. @defaultValue 3 */
  readonly failures?: number;
  /** How long the breaker stays open before it allows one trial. @defaultValue 15000 */
  readonly openMs?: number;
}

/** Failures caused by the vendor; all others depend on the request. */
const OF_THE_VENDOR: ReadonlySet<FailureClass> = new Set([
  ...(['auth', 'quota', 'rate', 'network', 'timeout', 'protocol', 'silent'] as const),
]);

/** Tracks a vendor's failures, so that not every caller waits for it to fail. */
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

  /** True if the vendor may be asked; while open, one request per period is allowed. */
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

  /** The vendor stopped in the middle of its work, after it had succeeded: it rests at once. */
  stalled(): void {
    this.#inARow = this.#failures;
    this.#tryAt = this.#clock.now() + this.#openMs;
  }

  failed(error: unknown): void {
    if (!(error instanceof ProviderError) || !OF_THE_VENDOR.has(error.class)) return;
    this.#inARow++;
    const restMs = Math.max(this.#openMs, error.retryAfterMs ?? 0);
    if (this.#inARow >= this.#failures) this.#tryAt = this.#clock.now() + restMs;
  }
}

/** The error for a vendor that is skipped without being asked. */
export function leftOut(provider: string): ProviderError {
  const message = `${provider} failed lately and is left out for now`;
  return new ProviderError({ class: 'network', provider, code: 'circuit_open', message });
}
