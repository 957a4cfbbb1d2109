import type { LlmToolCall } from '../../ports/llm.ts';

/** One entry of the conversation, from which the model's context is made. */
export type Entry =
  | {
      readonly role: 'user';
      readonly messageId: string;
      readonly text: string;
      readonly at: number;
    }
  | {
      readonly role: 'assistant';
      readonly messageId: string;
      /** The words that the caller heard. */
      readonly text: string;
      readonly at: number;
      /** It was interrupted. */
      readonly cut: boolean;
    }
  | {
      readonly role: 'tool-calls';
      /** The reply that made the calls. */
      readonly replyId: string;
      /** The words of the reply since its previous tool calls. */
      readonly text: string;
      readonly calls: readonly LlmToolCall[];
    }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string }
  | {
      readonly role: 'system';
      readonly text: string;
      /** Said in the call by a person who had taken it over. */
      readonly isSpoken?: true;
    };

/** A word of the assistant, and the instant at which its playback began. */
export interface PlayedWord {
  readonly word: string;
  readonly at: number;
  /** By how much `at` may be wrong, ms; 0 if the voice told the time. */
  readonly marginMs: number;
}
