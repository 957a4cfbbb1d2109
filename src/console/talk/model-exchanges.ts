import type { JournalLine } from '../calls/journal.ts';

/** A message to the model. */
export interface ModelMessage {
  readonly role: string;
  readonly content: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[];
}

/** One request to the model that became part of the conversation, and its answer. */
export interface ModelExchange {
  readonly genId: number;
  readonly turn: number;
  /** Since the start of the call. */
  readonly atMs: number;
  readonly messages: readonly ModelMessage[];
  /** The messages that the request before did not have. */
  readonly added: readonly ModelMessage[];
  /** Names of the tools that the model was offered. */
  readonly tools: readonly string[];
  readonly answer: string;
  readonly toolCalls: readonly { readonly name: string; readonly arguments: string }[];
  readonly problem?: string;
}

/** As the journal writes it: only what the request before did not have. */
interface Start {
  readonly genId: number;
  readonly turn: number;
  readonly speculative: boolean;
  readonly keptMessages?: number;
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly { readonly name: string }[];
}

/** What the model was sent and answered, request by request. Drafts that were never used are left out. */
export function modelExchanges(lines: readonly JournalLine[]): readonly ModelExchange[] {
  const found = new Map<number, ModelExchange & { readonly used: boolean }>();
  let messages: readonly ModelMessage[] = [];
  let tools: readonly string[] = [];
  const change = (
    genId: number,
    update: (one: ModelExchange) => Partial<ModelExchange & { readonly used: boolean }>,
  ): void => {
    const one = found.get(genId);
    if (one) found.set(genId, { ...one, ...update(one) });
  };
  for (const { at, type, data } of lines) {
    if (type === 'llm.start') {
      const start = data as unknown as Start;
      const kept = messages.slice(0, start.keptMessages ?? 0);
      messages = [...kept, ...start.messages];
      tools = start.tools?.map(({ name }) => name) ?? tools;
      found.set(start.genId, {
        ...{ genId: start.genId, turn: start.turn, atMs: at, messages, tools },
        added: start.messages,
        answer: '',
        toolCalls: [],
        used: !start.speculative,
      });
    } else if (type === 'llm.adopt') change(data.genId, () => ({ used: true }));
    else if (type === 'llm.text')
      change(data.genId, ({ answer }) => ({ answer: answer + data.text }));
    else if (type === 'llm.toolCall') {
      const { name, arguments: given } = data;
      change(data.genId, ({ toolCalls }) => ({
        toolCalls: [...toolCalls, { name, arguments: given }],
      }));
    } else if (type === 'llm.error')
      change(data.genId, () => ({ problem: data.error.message ?? data.error.code }));
  }
  return [...found.values()].filter(({ used }) => used).map(({ used: _, ...one }) => one);
}
