/** Why a request to somebody's URL was not made or not completed. */
export type OutboundErrorCode =
  | 'busy'
  | 'bad_url'
  | 'private_target'
  | 'redirect_refused'
  | 'dns_failed'
  | 'connect_timeout'
  | 'network'
  | 'bad_response'
  | 'response_too_large';

/** An outbound request failed before or below HTTP. The message is fit to be shown to a user. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly code: OutboundErrorCode;

  constructor(code: OutboundErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
