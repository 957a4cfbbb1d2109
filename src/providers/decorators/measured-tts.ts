import type { Clock } from '../../ports/clock.ts';
import type { Tts, TtsPart, TtsRequest } from '../../ports/tts.ts';
import type { VendorMeter, VendorName } from '../../ports/vendor-meter.ts';
import { withOutcome } from './outcome.ts';

/** Measures the latency of a voice's utterances and counts their characters as written. */
export function createMeasuredTts(
  tts: Tts,
  { clock, meter }: { readonly clock: Clock; readonly meter: VendorMeter },
): Tts {
  const name: VendorName = { kind: 'tts', vendor: tts.provider };
  return { provider: tts.provider, synthesize: (request) => measure(request) };

  function measure(request: TtsRequest): AsyncIterable<TtsPart> {
    const startedAt = clock.now();
    let sounded = false;
    return withOutcome(tts.synthesize(request), request.signal, {
      onPart({ type }) {
        if (type !== 'audio' || sounded) return;
        sounded = true;
        meter.latency(name, clock.now() - startedAt);
      },
      onEnd(outcome) {
        // Vendors charge for a text once they accept it, even if it is not played to its end.
        const isCharged = sounded || outcome === 'ok' || outcome === 'cancelled';
        meter.finished(name, outcome, isCharged ? { characters: request.text.length } : {});
      },
    });
  }
}
