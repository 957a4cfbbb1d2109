import { ProviderError } from '../../lib/errors.ts';
import type { VendorOutcome } from '../../ports/vendor-meter.ts';

/** How a request ended that did not end well. */
export function outcomeOf(error: unknown, signal: AbortSignal): VendorOutcome {
  if (signal.aborted) return 'cancelled';
  return error instanceof ProviderError ? error.class : 'internal';
}
