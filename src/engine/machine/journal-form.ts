import type { CallCommand } from './commands.ts';

type LlmStart = Extract<CallCommand, { type: 'llm.start' }>;

/** What a model's next context is compared with, JSON texts. */
export interface FormSnapshot {
  readonly messages: readonly string[];
  readonly tools: string;
}

/**
 * Commands in the form of the journal. A model's context grows with the call, so each `llm.start` contains only what
 * it adds to the previous one, and a digest of the whole; the lines in order give back the whole context.
 */
export class JournalForm {
  #messages: readonly string[];
  #tools: string;

  constructor(snapshot: FormSnapshot = { messages: [], tools: '' }) {
    this.#messages = snapshot.messages;
    this.#tools = snapshot.tools;
  }

  get snapshot(): FormSnapshot {
    return { messages: this.#messages, tools: this.#tools };
  }

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

/** 53 bits over texts in their order, as hexadecimal: tells different contents apart, not made to resist forgery. */
function quickDigest(texts: readonly string[]): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  const mix = (code: number) => {
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  };
  for (const text of texts) {
    for (let i = 0; i < text.length; i++) mix(text.charCodeAt(i));
    // No text contains this code, so it separates the texts.
    mix(0x1_0000);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(16).padStart(14, '0');
}
