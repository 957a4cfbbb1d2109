import type { LlmMessage, LlmTool, LlmToolCall } from '../../ports/llm.ts';
import type { WordTiming } from '../../ports/tts.ts';
import type { AskedTool } from './tools.ts';

export type ReplyKind =
  | 'welcome'
  | 'answer'
  | 'say'
  | 'idle'
  | 'ack'
  | 'stock'
  | 'result'
  | 'transfer'
  | 'farewell';

/** A piece of a reply: synthesised and played as one. */
export interface Utterance {
  readonly uttId: number;
  readonly text: string;
  /** Said to bridge a wait: no part of the answer. */
  readonly filler: boolean;
  words: readonly WordTiming[];
  totalMs: number | undefined;
  playedMs: number;
  /** When its position was last known. */
  markedAt: number;
  stage: 'waiting' | 'voicing' | 'ready' | 'sent' | 'playing' | 'done' | 'failed';
}

/** Where the words of a reply come from. */
export type ReplyText =
  /** A generation runs; `calls` are the tools it has asked for. */
  | { readonly name: 'writing'; readonly genId: number; readonly calls: AskedTool[] }
  /** Between two steps of the model, or before the first: tools have to answer. */
  | { readonly name: 'paused'; readonly genId: number | undefined; readonly calls: AskedTool[] }
  /** No more pieces will come. */
  | { readonly name: 'complete' };

/** How far a reply has come with the caller. */
export type ReplyPhase =
  | { readonly name: 'waiting' }
  | { readonly name: 'heard'; readonly startedAt: number }
  /** Taken back; what was heard of it is not known yet. */
  | { readonly name: 'cut'; readonly startedAt: number | undefined };

/** One turn of the assistant. Times are ms since the call was created. */
export interface Reply {
  readonly kind: ReplyKind;
  readonly turn: number;
  readonly messageId: string;
  readonly utterances: Utterance[];
  /** Nothing of it can be interrupted. */
  readonly isProtected: boolean;
  /** Audio may not start before. */
  readonly notBefore: number;
  text: ReplyText;
  phase: ReplyPhase;
  /** C5: the caller makes a sound that may take it back; until that is known nothing of it is played. */
  gated: boolean;
  firstTextAt: number | undefined;
  firstAudioAt: number | undefined;
  /** Model steps taken for it. */
  steps: number;
  /** A5: the model has failed once. */
  retried: boolean;
  /** E6: a piece of it found no voice. */
  voiceless: boolean;
  /** K3: the first silence before the stock filler, where it differs from the usual. */
  fillerAfterMs: number | undefined;
  /** What the transcript says of it so far. */
  shown: string | undefined;
  /** When the record was last brought up to that. */
  recordedAt: number;
}

/** What a model is asked with. */
export interface ModelRequest {
  readonly messages: readonly LlmMessage[];
  readonly tools: readonly LlmTool[];
}

/** A reply that the model writes before the caller's turn is certain to be over. Nothing of it shows. */
export interface Draft {
  readonly genId: number;
  readonly turn: number;
  /** The caller's words it answers. */
  readonly text: string;
  readonly request: ModelRequest;
  readonly startedAt: number;
  readonly pieces: string[];
  /** S4: kept, and invoked only if the draft becomes the reply. */
  readonly toolCalls: LlmToolCall[];
  firstTextAt: number | undefined;
  firstAudioAt: number | undefined;
  done: boolean;
  /** S2: its first piece, spoken ahead. */
  utterance: Utterance | undefined;
}
