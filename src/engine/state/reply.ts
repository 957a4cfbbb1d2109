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

/** A piece of a reply that is synthesised and played as a whole. */
export interface Utterance {
  readonly uttId: number;
  readonly text: string;
  /** Only bridges a wait and is no part of the answer. */
  readonly filler: boolean;
  words: readonly WordTiming[];
  totalMs: number | undefined;
  playedMs: number;
  /** H1: the most that the far end itself has counted; `playedMs` may be an estimate beyond it. */
  countedMs: number;
  /** When `playedMs` was last updated. */
  markedAt: number;
  /** Where playback was resumed last after a hold, ms of its sound; 0 if it never was. */
  resumedMs: number;
  /** E6: the voice stopped before the text was spoken. */
  brokeOff: boolean;
  stage: 'waiting' | 'voicing' | 'ready' | 'sent' | 'playing' | 'done' | 'failed';
}

/** Where the words of a reply come from. */
export type ReplyText =
  /** A generation runs; `calls` are the tools it has asked for. */
  | { readonly name: 'writing'; readonly genId: number; readonly calls: AskedTool[] }
  /** Waits for tools, between two steps of the model or before the first. */
  | { readonly name: 'paused'; readonly genId: number | undefined; readonly calls: AskedTool[] }
  /** All pieces are there. */
  | { readonly name: 'complete' };

/** Whether the caller has heard any of a reply. */
export type ReplyPhase =
  | { readonly name: 'waiting' }
  | { readonly name: 'heard'; readonly startedAt: number }
  /** Interrupted; how much of it was heard is not yet known. */
  | { readonly name: 'cut'; readonly startedAt: number | undefined };

/** One turn of the assistant. Times are ms since the call was created. */
export interface Reply {
  readonly kind: ReplyKind;
  readonly turn: number;
  readonly messageId: string;
  readonly utterances: Utterance[];
  /** The caller cannot interrupt it. */
  readonly isProtected: boolean;
  /** Its audio may not start earlier. */
  notBefore: number;
  /** C10: how often its audio was put off. */
  putOff: number;
  text: ReplyText;
  phase: ReplyPhase;
  /** C5: the caller is making a sound that may cancel the reply, so its audio waits until that is decided. */
  gated: boolean;
  firstTextAt: number | undefined;
  firstAudioAt: number | undefined;
  /** How many times the model has been asked. */
  steps: number;
  /** A5: the model has failed once and was asked again. */
  retried: boolean;
  /** E6: synthesis failed for one of its pieces. */
  voiceless: boolean;
  /** K3: the first silence before the stock filler, where it differs from the usual. */
  fillerAfterMs: number | undefined;
  /** Its text in the transcript so far. */
  shown: string | undefined;
  /** When the stored message was last updated. */
  recordedAt: number;
}

/** The context and the tools of a request to the model. */
export interface ModelRequest {
  readonly messages: readonly LlmMessage[];
  readonly tools: readonly LlmTool[];
}

/** An answer that the model writes ahead, before the caller's turn is certain to be over. It is not in the record. */
export interface Draft {
  readonly genId: number;
  readonly turn: number;
  /** The caller's words that it answers. */
  readonly text: string;
  readonly request: ModelRequest;
  readonly startedAt: number;
  readonly pieces: string[];
  /** S4: invoked only if the draft becomes the reply. */
  readonly toolCalls: LlmToolCall[];
  firstTextAt: number | undefined;
  firstAudioAt: number | undefined;
  done: boolean;
  /** S2: its first piece, already in synthesis. */
  utterance: Utterance | undefined;
  /** B17: it has still to tell whether the words were for the assistant. */
  judges: boolean;
}
