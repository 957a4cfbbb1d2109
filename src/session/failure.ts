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
  // The text of an unforeseen error may hold secrets: it goes to the log, and the record gets a neutral sentence.
  return {
    code: 'internal',
    message: `${provider} failed unexpectedly`,
    provider,
    retryable: false,
  };
}

/** The event for a vendor that was replaced by the next one. */
export function failoverEvent(
  port: Extract<CallEvent, { type: 'vendor.failover' }>['port'],
  { vendor, successor, delayMs, error }: Failover,
): CallEvent {
  const failure = toFailure(error, vendor);
  return { type: 'vendor.failover', port, vendor, successor, delayMs, error: failure };
}
