import type { CallDirection, CallType } from '../../contract/call.ts';
import type { LlmTool } from '../../ports/llm.ts';
import type { Workflow } from '../state/workflow.ts';

/** A line of a tool, from the contract's `messages[]`. */
export interface ToolLine {
  readonly type:
    | 'request-start'
    | 'request-response-delayed'
    | 'request-complete'
    | 'request-failed';
  readonly content: string;
  readonly timingMs?: number;
  /** For a start line: the tool is invoked only after it was said. */
  readonly blocking?: boolean;
  readonly role: 'assistant' | 'system';
  readonly endCall: boolean;
}

export interface CallTool {
  readonly definition: LlmTool;
  readonly async: boolean;
  /** Has no side effects, so it may run at once and again. */
  readonly readOnly: boolean;
  /** Its server knows a repeated request by its idempotency key, and answers it without doing it twice. */
  readonly repeatable?: boolean;
  readonly timeoutMs: number;
  readonly lines: readonly ToolLine[];
  /** Of a server that lists its tools: the tool that names the server, and the server's own name of this one. */
  readonly offered?: { readonly toolId: string; readonly name: string };
}

/** Blind: bridged on answer. Announced: the operator hears a summary first. Conversational: they may decline. */
export type TransferMode = 'blind' | 'announced' | 'conversational';

/**
 * The settings of one call: the assistant with its overrides, resolved once when the call is created. Durations are
 * in ms. Plain JSON, because the first line of the journal contains it.
 */
export interface CallSettings {
  readonly callType: CallType;
  readonly direction: CallDirection;
  readonly systemPrompt: string;
  readonly languages: readonly string[];
  readonly hints: readonly string[];
  /** Whole sentences that callers are expected to say, such as the questions of a knowledge base; words only. */
  readonly expected: readonly string[];
  readonly welcome: {
    readonly message: string;
    readonly mode: 'assistant-speaks-first' | 'assistant-waits-for-user' | 'automatic';
    readonly interruptible: boolean;
  };
  readonly startSpeaking: {
    readonly waitMs: number;
    /** `off`, the built-in predictor, or the recogniser's own judgement of the end of a turn. */
    readonly smartEndpointing: 'off' | 'predictor' | 'recogniser';
    readonly onPunctuationMs: number;
    readonly onNoPunctuationMs: number;
    readonly onNumberMs: number;
    readonly engineBaseMs: number;
    readonly engineScaleMs: number;
  };
  readonly stopSpeaking: { readonly numberOfWords: number; readonly voiceMs: number };
  readonly interruptionAck: {
    readonly enabled: boolean;
    readonly count: number;
    readonly words: number;
    readonly phrases: readonly string[];
  };
  readonly backchanneling: boolean;
  /** S: the model may answer before the caller's turn is certain to be over. */
  readonly drafts: boolean;
  /** Judges whether the caller has finished: by the words, built in, or by an external model. */
  readonly predictor: 'text' | 'outside';
  readonly dtmfInput: boolean;
  readonly idle: {
    readonly timeoutMs: number;
    readonly maxMessages: number;
    readonly messages: readonly string[];
  };
  readonly maxDurationMs: number;
  readonly responseSplitter: string;
  readonly endCall: {
    readonly enabled: boolean;
    readonly message: string;
    readonly phrases: readonly string[];
    readonly toolDescription: string;
  };
  /** 0: failures of the voice never end the call. */
  readonly maxConsecutiveTtsFailures: number;
  readonly tools: readonly CallTool[];
  /** Only for an assistant with a workflow. */
  readonly workflow?: Workflow & {
    readonly variables: Readonly<Record<string, string>>;
    /** Tools that the model may use only in the nodes that name them. */
    readonly nodeTools: readonly string[];
  };
  /** The model may make the assistant louder or softer. */
  readonly volumeControl: boolean;
  readonly transfer: {
    /** The model may transfer by itself. */
    readonly toolEnabled: boolean;
    readonly mode: TransferMode;
    /** Empty if there is no transfer target. */
    readonly phoneNumber: string;
    readonly extension: string;
    readonly name: string;
    readonly timeoutMs: number;
    readonly holdMusicUrl: string;
    readonly recordAfter: boolean;
  };
  /** The recogniser's 99th percentile from the end of speech to the final text. */
  readonly sttP99Ms: number;
  /** The recogniser judges the end of turns, so N1 may apply. */
  readonly sttTurnAware: boolean;
  /** The recogniser's interim words leave out much of what is said (L3). */
  readonly sttSparseInterims?: boolean;
  /** Stock lines in the language of the call. */
  readonly lines: {
    readonly apology: string;
    readonly filler: string;
    readonly notUnderstood: string;
    readonly technicalFarewell: string;
    readonly transferring: string;
    readonly stopWaiting: string;
    readonly callerWaiting: string;
    readonly callerLeft: string;
    readonly voicemail: string;
    readonly backchannels: readonly string[];
  };
  /** Seed of every choice the call makes. */
  readonly seed: number;
}
