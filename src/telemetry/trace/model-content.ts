import type { LlmMessage } from '../../ports/llm.ts';

/** How the conventions name the reasons for which a model stopped. */
const FINISH_REASONS: Readonly<Record<string, string>> = {
  'tool-calls': 'tool_call',
  'content-filter': 'content_filter',
};

export const finishReason = (reason: string): string => FINISH_REASONS[reason] ?? reason;

/** A model's context, as the lines of a journal add to it. */
export class ModelContext {
  #messages: readonly LlmMessage[] = [];

  /** Takes the part of an `llm.start` that differs from the one before. */
  add(keptMessages: number, messages: readonly LlmMessage[]): readonly LlmMessage[] {
    this.#messages = [...this.#messages.slice(0, keptMessages), ...messages];
    return this.#messages;
  }
}

export interface AskedTool {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** `gen_ai.input.messages`, as JSON. */
export const inputMessages = (messages: readonly LlmMessage[]): string =>
  JSON.stringify(messages.map((message) => ({ role: message.role, parts: partsOf(message) })));

/** `gen_ai.output.messages`, as JSON. */
export function outputMessages(
  texts: readonly string[],
  asked: readonly AskedTool[],
  reason: string,
): string {
  const parts = [...textParts(texts.join(' ')), ...asked.map(toolCall)];
  return JSON.stringify([{ role: 'assistant', parts, finish_reason: reason }]);
}

function partsOf(message: LlmMessage): readonly object[] {
  if (message.role === 'tool')
    return [{ type: 'tool_call_response', id: message.toolCallId, response: message.content }];
  const asked = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return [...textParts(message.content), ...asked.map(toolCall)];
}

const textParts = (content: string) => (content === '' ? [] : [{ type: 'text', content }]);

const toolCall = ({ id, name, arguments: args }: AskedTool) => ({
  type: 'tool_call',
  id,
  name,
  arguments: args,
});
