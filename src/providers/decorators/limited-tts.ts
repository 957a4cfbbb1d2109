import type { Tts, TtsPart, TtsRequest } from '../../ports/tts.ts';
import type { TurnQueue } from './turn-queue.ts';

/** Limits the concurrent utterances of a voice to what its vendor allows. */
export function createLimitedTts(tts: Tts, queue: TurnQueue): Tts {
  return { provider: tts.provider, synthesize };

  async function* synthesize(request: TtsRequest): AsyncGenerator<TtsPart, void, undefined> {
    const release = await queue.take(request.team, request.signal);
    try {
      yield* tts.synthesize(request);
    } finally {
      release();
    }
  }
}
