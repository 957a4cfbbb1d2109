import type { CallCommand } from './commands.ts';
import { quickDigest } from './quick-digest.ts';

type LlmStart = Extract<CallCommand, { type: 'llm.start' }>;

/**
 * Commands as the journal keeps them. A model's context grows with the call, so each `llm.start` is written
 * as what it adds to the one before, with a digest of the whole; read in order, the lines give all of it back.
 */
export class JournalForm {
  #messages: readonly string[] = [];
  #tools = '';

  of(command: CallCommand): { readonly type: string; readonly data: Record<string, unknown> } {
    if (command.type === 'llm.start') return { type: command.type, data: this.#shorten(command) };
    const { type, ...data } = command;
    return { type, data };
  }

  #shorten({ type: _, messages, tools, ...rest }: LlmStart): Record<string, unknown> {
    const texts = messages.map((message) => JSON.stringify(message));
    const differs = texts.findIndex((text, i) => text !== this.#messages[i]);
    const kept = differs < 0 ? texts.length : differs;
    const toolsText = JSON.stringify(tools);
    const sameTools = toolsText === this.#tools;
    this.#messages = texts;
    this.#tools = toolsText;
    return {
      ...rest,
      keptMessages: kept,
      messages: messages.slice(kept),
      ...(sameTools ? {} : { tools }),
      digest: quickDigest([...texts, toolsText]),
    };
  }
}
