import type { Clock } from '../../ports/clock.ts';
import type { Tts, TtsPart, TtsRequest } from '../../ports/tts.ts';
import type { VendorMeter, VendorName } from '../../ports/vendor-meter.ts';
import { outcomeOf } from './outcome.ts';

/** A voice whose utterances are timed, and their characters counted as they are written. */
export function createMeasuredTts(
  tts: Tts,
  { clock, meter }: { readonly clock: Clock; readonly meter: VendorMeter },
): Tts {
  const name: VendorName = { kind: 'tts', vendor: tts.provider };
  return { provider: tts.provider, synthesize: (request) => measure(request) };

  async function* measure(request: TtsRequest): AsyncGenerator<TtsPart, void, undefined> {
    const startedAt = clock.now();
    let sounded = false;
    let complete = false;
    let failure: { readonly error: unknown } | undefined;
    try {
      for await (const part of tts.synthesize(request)) {
        if (part.type === 'audio' && !sounded) {
          sounded = true;
          meter.latency(name, clock.now() - startedAt);
        }
        yield part;
      }
      complete = true;
    } catch (error) {
      failure = { error };
      throw error;
    } finally {
      const outcome = failure
        ? outcomeOf(failure.error, request.signal)
        : complete
          ? 'ok'
          : 'cancelled';
      // Vendors count a text when they take it, whether or not it is heard to its end.
      meter.finished(name, outcome, failure && !sounded ? {} : { characters: request.text.length });
    }
  }
}
