import type { CallDirection, CallType } from '../../contract/call.ts';
import type { LlmTool } from '../../ports/llm.ts';
import type { Workflow } from '../state/workflow.ts';

/** A spoken line of a tool, as the contract's `messages[]` has it. */
export interface ToolLine {
  readonly type:
    | 'request-start'
    | 'request-response-delayed'
    | 'request-complete'
    | 'request-failed';
  readonly content: string;
  readonly timingMs?: number;
  /** A start line: the tool is invoked only once it has been said. */
  readonly blocking?: boolean;
  readonly role: 'assistant' | 'system';
  readonly endCall: boolean;
}

export interface CallTool {
  readonly definition: LlmTool;
  readonly async: boolean;
  /** Reads only: may run at once, and again. */
  readonly readOnly: boolean;
  readonly timeoutMs: number;
  readonly lines: readonly ToolLine[];
}

/** Blind: dialled and let go. Announced: the operator hears why. Conversational: they talk it over. */
export type TransferMode = 'blind' | 'announced' | 'conversational';

/**
 * What one call's behaviour is made of: the assistant and its overrides, resolved once when the call is
 * created and never again. All durations in ms. Serialisable: the journal's first line holds it.
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
  /** Asks the model before the caller's turn is certain to be over. */
  readonly drafts: boolean;
  /** Who judges whether the caller has finished: the built-in reading of the words, or a model outside. */
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
  /** 0 = never end a call for it. */
  readonly maxConsecutiveTtsFailures: number;
  readonly tools: readonly CallTool[];
  /** The steps of a call whose assistant follows a workflow. */
  readonly workflow?: Workflow & {
    readonly variables: Readonly<Record<string, string>>;
    /** Tools that the model has in the nodes that name them, and nowhere else. */
    readonly nodeTools: readonly string[];
  };
  /** The model may make the assistant louder or softer. */
  readonly volumeControl: boolean;
  readonly transfer: {
    /** The model may transfer by itself. */
    readonly toolEnabled: boolean;
    readonly mode: TransferMode;
    /** Empty: there is nobody to transfer to. */
    readonly phoneNumber: string;
    readonly extension: string;
    readonly name: string;
    readonly timeoutMs: number;
    readonly holdMusicUrl: string;
    readonly recordAfter: boolean;
  };
  /** Of the recogniser in use, ms. */
  readonly sttP99Ms: number;
  /** Turn-aware recogniser: N1 may apply. */
  readonly sttTurnAware: boolean;
  /** Stock lines in the call's language. */
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
