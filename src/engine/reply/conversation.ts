import type { LlmMessage } from '../../ports/llm.ts';
import type { Entry } from '../state/transcript.ts';

/** The result that a model gets for a tool call that is still running. */
const STILL_RUNNING = '{"status":"still running"}';

/**
 * The model's context: the system prompt, then the conversation. Exactly one result follows each tool call, as the
 * protocol demands.
 */
export function toModelMessages(
  systemPrompt: string,
  entries: readonly Entry[],
  liveReplyId?: string,
): LlmMessage[] {
  const messages: LlmMessage[] =
    systemPrompt === '' ? [] : [{ role: 'system', content: systemPrompt }];
  const results = new Map(
    entries.flatMap((entry) =>
      entry.role === 'tool' ? [[entry.toolCallId, entry.content] as const] : [],
    ),
  );
  const words = new StepWords(entries, liveReplyId);
  for (const entry of entries) {
    switch (entry.role) {
      case 'user':
        messages.push({ role: 'user', content: entry.text });
        break;
      case 'assistant': {
        const text = words.rest(entry.messageId);
        if (text !== '') {
          messages.push({ role: 'assistant', content: entry.cut ? `${text}—` : text });
        }
        break;
      }
      case 'tool-calls':
        messages.push({
          role: 'assistant',
          content: words.before(entry.replyId, entry.text),
          toolCalls: entry.calls,
        });
        for (const { id } of entry.calls) {
          messages.push({
            role: 'tool',
            toolCallId: id,
            content: results.get(id) ?? STILL_RUNNING,
          });
        }
        break;
      case 'system':
        messages.push({
          role: 'system',
          content: entry.text,
          ...(entry.isSpoken ? { isSpoken: true } : {}),
        });
        break;
      case 'tool':
        break;
    }
  }
  return messages;
}

/** C8: index of the caller's last message if the caller has heard nothing since, else -1. */
export function unansweredIndex(entries: readonly Entry[]): number {
  const index = entries.findLastIndex(
    (entry) => entry.role === 'user' || (entry.role === 'assistant' && entry.text !== ''),
  );
  return entries[index]?.role === 'user' ? index : -1;
}

/** The conversation as it would be with this turn of the caller. */
export function withUserText(entries: readonly Entry[], text: string): readonly Entry[] {
  const index = unansweredIndex(entries);
  const last = entries[index];
  return last?.role === 'user'
    ? entries.with(index, { ...last, text: `${last.text} ${text}` })
    : [...entries, { role: 'user', messageId: '', text, at: 0 }];
}

/**
 * Splits the heard words of a reply at its tool calls: the words of each step come before its calls, the rest in the
 * reply's own message. No word appears twice, and none that was not heard, except of the reply that is being spoken.
 */
class StepWords {
  readonly #heard: Map<string, string>;
  readonly #liveReplyId: string | undefined;

  constructor(entries: readonly Entry[], liveReplyId: string | undefined) {
    this.#heard = new Map(
      entries.flatMap((entry) =>
        entry.role === 'assistant' ? [[entry.messageId, entry.text] as const] : [],
      ),
    );
    this.#liveReplyId = liveReplyId;
  }

  /** The words before a step's calls. */
  before(replyId: string, text: string): string {
    const heard = this.#heard.get(replyId);
    if (heard === undefined) return replyId === this.#liveReplyId ? text : '';
    const words = heard.startsWith(text) ? text : text.startsWith(heard) ? heard : '';
    this.#heard.set(replyId, heard.slice(words.length).trimStart());
    return words;
  }

  /** The words after the last step. */
  rest(replyId: string): string {
    return this.#heard.get(replyId) ?? '';
  }
}
