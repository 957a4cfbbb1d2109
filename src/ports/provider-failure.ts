/** Why an external service failed; decides between retry, failover and giving up. */
export type FailureClass =
  | 'auth'
  | 'quota'
  | 'rate'
  | 'network'
  | 'timeout'
  | 'protocol'
  | 'silent'
  | 'invalid'
  | 'internal';

/** A vendor's failure. The message never holds a secret: users see it. */
export interface ProviderFailure extends Error {
  readonly class: FailureClass;
  /** Vendor name as registered, e.g. `openai`. */
  readonly provider: string;
  /** Stable machine-readable code, e.g. `http_429`. */
  readonly code: string;
  readonly retryable: boolean;
  /** How long the vendor asked us to wait. */
  readonly retryAfterMs: number | undefined;
}
