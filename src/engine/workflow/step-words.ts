import type { Entry } from '../state/transcript.ts';

/**
 * Splits what was heard of replies between the tool calls they made: each step's words stand before its
 * calls, what came after the last one in the reply's own message. Nothing is there twice, nothing unheard;
 * only the reply that is still being spoken counts with all its words.
 */
export class StepWords {
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
