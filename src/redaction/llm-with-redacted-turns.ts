import type { Llm, LlmMessage, LlmRequest } from '../ports/llm.ts';
import type { CallRedactor } from './call-redactor.ts';

type Redactor = Pick<CallRedactor, 'mask'>;

/** A model that gets the earlier turns of a call without what is to be taken out. */
export function withRedactedTurns(llm: Llm, redactor: Redactor): Llm {
  return {
    provider: llm.provider,
    async *stream(request: LlmRequest) {
      yield* llm.stream({ ...request, messages: await redactTurns(request.messages, redactor) });
    },
  };
}

/**
 * The caller's last words stay, since they are to be answered, and what the assistant's owner wrote. The words of a
 * person who has taken the call over are never those to be answered.
 */
async function redactTurns(
  messages: readonly LlmMessage[],
  redactor: Redactor,
): Promise<readonly LlmMessage[]> {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const isRedacted = messages.map((message, i) =>
    message.role === 'system' ? message.isSpoken === true : i < last,
  );
  const masked = await redactor.mask(
    messages.map(({ content }, i) => (isRedacted[i] ? content : '')),
  );
  return messages.map((message, i) =>
    isRedacted[i] ? { ...message, content: masked[i] ?? '' } : message,
  );
}
