import type { FailureClass, ProviderFailure } from '../ports/provider-failure.ts';

const RETRYABLE: ReadonlySet<FailureClass> = new Set(['rate', 'network', 'timeout', 'silent']);

export interface ProviderErrorOptions {
  readonly class: FailureClass;
  /** Vendor name as registered, e.g. `openai`. */
  readonly provider: string;
  /** Stable machine-readable code, e.g. `http_429`. */
  readonly code: string;
  readonly message: string;
  readonly cause?: unknown;
  /** @defaultValue derived from the class */
  readonly retryable?: boolean;
  /** The pause that the vendor asked for, in ms. */
  readonly retryAfterMs?: number;
}

/** A vendor failed. The message is shown to users and must not contain a secret. */
export class ProviderError extends Error implements ProviderFailure {
  override readonly name = 'ProviderError';
  readonly class: FailureClass;
  readonly provider: string;
  readonly code: string;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(options: ProviderErrorOptions) {
    super(options.message, { cause: options.cause });
    this.class = options.class;
    this.provider = options.provider;
    this.code = options.code;
    this.retryable = options.retryable ?? RETRYABLE.has(options.class);
    this.retryAfterMs = options.retryAfterMs;
  }
}
