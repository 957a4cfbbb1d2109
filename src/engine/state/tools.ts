import type { LlmToolCall } from '../../ports/llm.ts';

/** A tool call as a model asked for it, and what the session found wrong with its arguments. */
export interface AskedTool extends LlmToolCall {
  readonly problem?: string;
}

/** A tool call that has no answer yet. */
export interface PendingTool {
  readonly toolCallId: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Name and arguments as one text: the same call has the same. */
  readonly key: string;
  /** The reply that asked for it. */
  readonly replyId: string;
  /** Asked of the tool's server; before that the turn may still be taken back. */
  invoked: boolean;
  /** T1: the blocking line that has to be said first. */
  afterUtterance: number | undefined;
  /** Its time-out, once it has been invoked. */
  dueAt: number | undefined;
}

/** What follows from a tool's answer: something to be said instead of asking the model, or a hint for the model. */
export interface AnswerLine {
  readonly spoken: string | undefined;
  readonly hint: string | undefined;
  readonly endCall: boolean;
}
