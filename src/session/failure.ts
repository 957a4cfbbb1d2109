import type { Failure } from '../contract/call-journal.ts';
import type { CallEvent } from '../engine/machine/events.ts';
import { ProviderError } from '../lib/errors.ts';
import type { Failover } from '../ports/failover.ts';

/** A thrown error as the data that events, journal and webhooks carry. */
export function toFailure(error: unknown, provider: string): Failure {
  if (error instanceof ProviderError) {
    return {
      code: error.code,
      message: error.message,
      provider: error.provider,
      retryable: error.retryable,
    };
  }
  // An unforeseen error's text may hold anything: the log has it, the record gets a neutral line.
  return {
    code: 'internal',
    message: `${provider} failed unexpectedly`,
    provider,
    retryable: false,
  };
}

/** What the call is told of a vendor that was replaced. */
export function failoverEvent(
  port: Extract<CallEvent, { type: 'vendor.failover' }>['port'],
  { vendor, successor, delayMs, error }: Failover,
): CallEvent {
  const failure = toFailure(error, vendor);
  return { type: 'vendor.failover', port, vendor, successor, delayMs, error: failure };
}
