import type { ProviderError } from '../../lib/errors.ts';

/** A vendor's audio encoding. */
export interface AudioFormat {
  readonly encoding: 'pcm16' | 'mulaw';
  readonly sampleRateHz: number;
}

/** An utterance as requested from a vendor. */
export interface Utterance {
  readonly text: string;
  /** Empty: the vendor's default voice. */
  readonly voice: string;
  readonly language: string | undefined;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  readonly format: AudioFormat;
}

/** When a piece of the text is spoken, ms. */
export interface Timing {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** A parsed vendor frame. Frames without a context id belong to the only context. */
export type SpeechFrame =
  | {
      readonly type: 'audio';
      readonly contextId?: string;
      readonly bytes: Uint8Array;
      /** Relative to the start of these bytes. */
      readonly timings?: readonly Timing[];
    }
  /** Relative to the start of the utterance. */
  | { readonly type: 'timings'; readonly contextId: string; readonly timings: readonly Timing[] }
  /** The context has ended: all audio was sent, or it was cancelled at our request. */
  | { readonly type: 'end'; readonly contextId?: string; readonly cancelled: boolean }
  /** Without an id, it applies to all contexts. */
  | { readonly type: 'error'; readonly contextId?: string; readonly error: ProviderError };

/** The protocol of a TTS vendor with a WebSocket. Pure: messages in, messages out. */
export interface TtsVendor {
  readonly provider: string;
  /** Utterances that one connection can carry at a time. */
  readonly maxContexts: number;
  /** Utterances that one connection may carry per minute; absent: unlimited. */
  readonly maxPerMinute?: number;
  readonly maxTextChars: number;
  format(wantedRateHz: number): AudioFormat;
  /** Utterances with the same URL can share a connection. */
  url(utterance: Utterance): string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  begin(contextId: string, utterance: Utterance): readonly string[];
  /** The vendor answers with an `end` frame, as for a completed context. */
  cancel(contextId: string): readonly string[];
  parse(frame: string | Uint8Array): readonly SpeechFrame[];
}
