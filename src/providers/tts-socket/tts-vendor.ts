import type { ProviderError } from '../../lib/errors.ts';

/** How a vendor's audio is encoded. */
export interface AudioFormat {
  readonly encoding: 'pcm16' | 'mulaw';
  readonly sampleRateHz: number;
}

/** An utterance as a vendor is asked for it. */
export interface Utterance {
  readonly text: string;
  /** Empty: the vendor's default. */
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

/** What a frame of a vendor means. Frames without a context id belong to the only one there can be. */
export type SpeechFrame =
  | {
      readonly type: 'audio';
      readonly contextId?: string;
      readonly bytes: Uint8Array;
      /** From the start of these bytes. */
      readonly timings?: readonly Timing[];
    }
  /** From the start of the utterance. */
  | { readonly type: 'timings'; readonly contextId: string; readonly timings: readonly Timing[] }
  /** Nothing more comes for this context: all was sent, or it was cancelled as we asked. */
  | { readonly type: 'end'; readonly contextId?: string; readonly cancelled: boolean }
  /** Without an id: for all contexts. */
  | { readonly type: 'error'; readonly contextId?: string; readonly error: ProviderError };

/** A vendor that speaks over a WebSocket. Pure: messages in, messages out. */
export interface TtsVendor {
  readonly provider: string;
  /** Utterances that one connection can carry at a time. */
  readonly maxContexts: number;
  /** Utterances that one connection may carry in a minute; absent: any number. */
  readonly maxPerMinute?: number;
  readonly maxTextChars: number;
  format(wantedRateHz: number): AudioFormat;
  /** Utterances with the same URL can share a connection. */
  url(utterance: Utterance): string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  begin(contextId: string, utterance: Utterance): readonly string[];
  /** Ends with an `end` frame, like a context that was spoken to its end. */
  cancel(contextId: string): readonly string[];
  parse(frame: string | Uint8Array): readonly SpeechFrame[];
}
