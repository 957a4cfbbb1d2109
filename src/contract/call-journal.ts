import type { MessageRole } from './call.ts';

export type UserState = 'silent' | 'speaking' | 'pausing';

export type AssistantState = 'idle' | 'thinking' | 'speaking' | 'held' | 'yielding';

/** A transcript message; `at` is in ms since the call was created. */
export interface TranscriptMessage {
  readonly messageId: string;
  readonly role: MessageRole;
  readonly text: string;
  readonly at: number;
  /** Of a note: where in the text the words of a person begin who has taken the call over. */
  readonly spokenFrom?: number;
}

/** Latencies of a turn, each in ms from the end of the caller's speech; absent if the step did not happen. */
export interface TurnMetrics {
  readonly turn: number;
  /** Decision that the caller is done. */
  readonly endpointMs?: number;
  /** Last final text. */
  readonly recogniserMs?: number;
  /** First piece of text from the model (`TTFT`). */
  readonly modelMs?: number;
  /** First audio from the voice (`TTFB`). */
  readonly voiceMs?: number;
  /** First audio at the caller. */
  readonly totalMs?: number;
}

/** A failure in error events, the journal and the `error` webhook. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly provider?: string;
  readonly retryable?: boolean;
}
