import { ProviderError } from '../../lib/errors.ts';
import { OutboundError, type OutboundErrorCode } from '../../lib/outbound-error.ts';
import type { FailureClass } from '../../ports/provider-failure.ts';
import type { Expiry, LlmDeadlines } from './watchdog.ts';

const OUTBOUND_CLASS: Readonly<Record<OutboundErrorCode, FailureClass>> = {
  busy: 'rate',
  bad_url: 'invalid',
  private_target: 'invalid',
  redirect_refused: 'invalid',
  dns_failed: 'network',
  connect_timeout: 'timeout',
  network: 'network',
  bad_response: 'protocol',
  response_too_large: 'protocol',
};

function expired(provider: string, expiry: Expiry, deadlines: LlmDeadlines): ProviderError {
  const message = {
    first_token_timeout: `${provider} did not begin to answer within ${deadlines.firstTokenMs} ms`,
    stalled: `${provider} fell silent for ${deadlines.stallMs} ms in the middle of its answer`,
    total_timeout: `${provider} did not finish its answer within ${deadlines.totalMs} ms`,
  }[expiry];
  return new ProviderError({ class: 'timeout', provider, code: expiry, message });
}

export function invalidOptions(provider: string, code: string, message: string): ProviderError {
  return new ProviderError({ class: 'invalid', provider, code, message });
}

function outboundFailure(provider: string, error: OutboundError): ProviderError {
  return new ProviderError({
    class: OUTBOUND_CLASS[error.code],
    provider,
    code: error.code,
    message: `${provider}: ${error.message}`,
    cause: error,
  });
}

/** Converts any error of a request into the typed error that the ports promise. */
export function requestFailure(provider: string, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof OutboundError) return outboundFailure(provider, error);
  return new ProviderError({
    class: 'internal',
    provider,
    code: 'unexpected',
    message: `${provider} failed unexpectedly`,
    cause: error,
  });
}

/** Converts any end of a request into an error, including a deadline. */
export function failureOf(
  provider: string,
  error: unknown,
  expiry: Expiry | undefined,
  deadlines: LlmDeadlines,
): ProviderError {
  return expiry ? expired(provider, expiry, deadlines) : requestFailure(provider, error);
}
