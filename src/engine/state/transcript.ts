import type { LlmToolCall } from '../../ports/llm.ts';

/** One thing that was said or happened, as the model is told of it. */
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
      /** What was heard. */
      readonly text: string;
      readonly at: number;
      /** It was cut short. */
      readonly cut: boolean;
    }
  | {
      readonly role: 'tool-calls';
      /** The reply that made them. */
      readonly replyId: string;
      /** What it had to say since its last calls. */
      readonly text: string;
      readonly calls: readonly LlmToolCall[];
    }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string }
  | { readonly role: 'system'; readonly text: string };

/** A word of the assistant and the instant at which the caller heard it begin. */
export interface PlayedWord {
  readonly word: string;
  readonly at: number;
}
