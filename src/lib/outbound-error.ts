/** Why a request to a URL of a user was not sent or not completed. */
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

/** An outbound request failed without an HTTP response. The message can be shown to users. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly code: OutboundErrorCode;

  constructor(code: OutboundErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
