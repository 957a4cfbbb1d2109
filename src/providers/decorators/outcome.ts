import { ProviderError } from '../../lib/errors.ts';
import type { VendorOutcome } from '../../ports/vendor-meter.ts';

/** Passes a request's parts on and finally reports how it ended: completed, failed or cancelled. */
export async function* withOutcome<Part>(
  parts: AsyncIterable<Part>,
  signal: AbortSignal,
  hooks: {
    readonly onPart: (part: Part) => void;
    readonly onEnd: (outcome: VendorOutcome) => void;
  },
): AsyncGenerator<Part, void, undefined> {
  let outcome: VendorOutcome = 'cancelled';
  try {
    for await (const part of parts) {
      hooks.onPart(part);
      yield part;
    }
    outcome = 'ok';
  } catch (error) {
    outcome = outcomeOf(error, signal);
    throw error;
  } finally {
    hooks.onEnd(outcome);
  }
}

/** The outcome of a request that did not complete. */
export function outcomeOf(error: unknown, signal: AbortSignal): VendorOutcome {
  if (signal.aborted) return 'cancelled';
  return error instanceof ProviderError ? error.class : 'internal';
}
