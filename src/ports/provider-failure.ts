/** Why an outside service failed; decides whether to retry, to fail over or to give up. */
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

/** A failed vendor. The message never holds a secret: it is shown to users. */
export interface ProviderFailure extends Error {
  readonly class: FailureClass;
  /** Vendor name as registered, e.g. `openai`. */
  readonly provider: string;
  /** Stable machine-readable code, e.g. `http_429`. */
  readonly code: string;
  readonly retryable: boolean;
  /** How long the vendor asked to be left alone. */
  readonly retryAfterMs: number | undefined;
}
