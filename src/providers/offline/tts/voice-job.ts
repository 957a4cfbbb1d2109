import type { Span } from './align-words.ts';

/** A clause to be spoken; what goes to a voice worker. */
export interface VoiceJob {
  /** As flite reads it. */
  readonly text: string;
  /** How each written word is said, in order; empty: not at all. */
  readonly words: readonly string[];
  readonly voice: string;
  /** 1 = as usual, 2 = half as fast. */
  readonly stretch: number;
  /** Silence to leave before and after what can be heard. */
  readonly keepBeforeMs: number;
  readonly keepAfterMs: number;
}

/** A spoken clause; times are from the start of its audio. */
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
