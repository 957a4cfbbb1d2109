import type { Clock } from '../../../ports/clock.ts';
import type { Llm } from '../../../ports/llm.ts';
import { createOpenAiLlm } from '../../openai-llm/adapter.ts';
import { CHAT_QUIRKS } from '../../openai-llm/quirks.ts';
import { offlineEndpoint } from './endpoint.ts';

export interface OfflineLlmOptions {
  readonly clock: Clock;
  readonly createId: () => string;
}

/** The built-in responder: it needs no key and no network, and answers only from the knowledge base. */
export function createOfflineLlm(options: OfflineLlmOptions): Llm {
  return createOpenAiLlm({
    provider: 'offline',
    model: 'offline',
    baseUrl: CHAT_QUIRKS.offline.baseUrl,
    quirks: CHAT_QUIRKS.offline,
    fetch: offlineEndpoint,
    clock: options.clock,
    createId: options.createId,
  });
}
