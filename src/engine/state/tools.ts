import type { LlmToolCall } from '../../ports/llm.ts';

/** A tool call of the model, and what the session found wrong with its arguments. */
export interface AskedTool extends LlmToolCall {
  readonly problem?: string;
}

/** A tool call that has no answer yet. */
export interface PendingTool {
  readonly toolCallId: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Name and arguments as one text, equal for equal calls. */
  readonly key: string;
  /** The reply in which the model made it. */
  readonly replyId: string;
  /** Sent to the tool's server. Before that, the turn may still be reopened. */
  invoked: boolean;
  /** T1: the utterance that must be spoken first. */
  afterUtterance: number | undefined;
  /** When it times out; set once it was invoked. */
  dueAt: number | undefined;
}

/** What a tool's answer leads to: a text to speak instead of asking the model, or a hint for the model. */
export interface AnswerLine {
  readonly spoken: string | undefined;
  readonly hint: string | undefined;
  readonly endCall: boolean;
}
