import { abortError, throwIfAborted } from '../../lib/abort.ts';
import type { Stt, SttOptions, SttStream } from '../../ports/stt.ts';
import { type FallbackSttOptions, FallbackSttStream } from './fallback-stt-stream.ts';

/** A recogniser with a fallback that takes over when the first fails or returns no words for speech. */
export function createFallbackStt(options: FallbackSttOptions): Stt {
  const { first, second } = options;
  return {
    provider: first.provider,
    inputRatesHz: first.inputRatesHz,
    finalLatencyP99Ms: Math.max(first.finalLatencyP99Ms, second.finalLatencyP99Ms),
    // True only if both detect the end of a turn, because either may be active.
    turnAware: first.turnAware === true && second.turnAware === true,
    open: (request) => open(options, request),
  };
}

async function open(options: FallbackSttOptions, request: SttOptions): Promise<SttStream> {
  throwIfAborted(request.signal);
  const stream = new FallbackSttStream(options, request);
  try {
    await stream.open();
    return stream;
  } catch (error) {
    stream.close();
    throw request.signal.aborted ? abortError(request.signal) : error;
  }
}
