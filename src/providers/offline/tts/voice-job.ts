import type { Span } from './align-words.ts';

/** A clause to synthesise, sent to a voice worker. */
export interface VoiceJob {
  /** Text in flite's form. */
  readonly text: string;
  /** The spoken form of each written word, in order; empty: not spoken. */
  readonly words: readonly string[];
  readonly voice: string;
  /** Duration factor: 1 = normal, 2 = half speed. */
  readonly stretch: number;
  /** Silence to keep before and after the audible part. */
  readonly keepBeforeMs: number;
  readonly keepAfterMs: number;
}

/** A synthesised clause; times are relative to the start of its audio. */
export interface VoiceResult {
  readonly pcm: Int16Array<ArrayBuffer>;
  readonly sampleRateHz: number;
  /** One for each of the job's words. */
  readonly spans: readonly Span[];
}

export interface VoiceRequestMessage {
  readonly id: number;
  readonly job: VoiceJob;
}

export type VoiceReplyMessage =
  | { readonly id: number; readonly result: VoiceResult }
  | { readonly id: number; readonly error: string };
