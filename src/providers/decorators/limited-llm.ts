import type { Llm, LlmPart, LlmRequest } from '../../ports/llm.ts';
import type { TurnQueue } from './turn-queue.ts';

/** Limits the concurrent answers of a model to what its vendor allows. */
export function createLimitedLlm(llm: Llm, queue: TurnQueue): Llm {
  return { provider: llm.provider, stream };

  async function* stream(request: LlmRequest): AsyncGenerator<LlmPart, void, undefined> {
    const release = await queue.take(request.team, request.signal);
    try {
      yield* llm.stream(request);
    } finally {
      release();
    }
  }
}
