import PQueue from 'p-queue';
import { abortError, throwIfAborted } from '../../lib/abort.ts';
import { ProviderError } from '../../lib/errors.ts';
import type { Tts, TtsPart, TtsRequest } from '../../ports/tts.ts';

export interface TtsLimits {
  /** Utterances spoken at once. */
  readonly concurrency: number;
  /** Utterances that may wait for their turn; one more is refused. */
  readonly maxWaiting: number;
}

/** A voice that is asked for no more at once than its vendor allows. */
export function createLimitedTts(tts: Tts, limits: TtsLimits): Tts {
  const queue = new PQueue({ concurrency: limits.concurrency });
  return {
    provider: tts.provider,
    synthesize: (request) => synthesize(tts, queue, limits, request),
  };
}

async function* synthesize(
  tts: Tts,
  queue: PQueue,
  limits: TtsLimits,
  request: TtsRequest,
): AsyncGenerator<TtsPart, void, undefined> {
  throwIfAborted(request.signal);
  if (queue.size >= limits.maxWaiting) {
    const { provider } = tts;
    const message = `${provider} has ${limits.maxWaiting} utterances waiting already`;
    throw new ProviderError({ class: 'rate', provider, code: 'too_many_waiting', message });
  }
  const release = await takeTurn(queue, request.signal);
  try {
    yield* tts.synthesize(request);
  } finally {
    release();
  }
}

/** Resolves with what ends the turn; an abort ends it, or the waiting for it, as well. */
function takeTurn(queue: PQueue, signal: AbortSignal): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const turn = (): Promise<void> => new Promise<void>((release) => resolve(release));
    queue.add(turn, { signal }).catch(() => reject(abortError(signal)));
  });
}
