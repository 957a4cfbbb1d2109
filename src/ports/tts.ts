import type { Failover } from './failover.ts';

export interface WordTiming {
  /** As written in the text, with its punctuation. */
  readonly word: string;
  readonly startMs: number;
  readonly endMs: number;
}

export interface TtsRequest {
  readonly text: string;
  /** BCP 47 tag. */
  readonly language?: string;
  readonly voice?: string;
  /** Vendor settings, the contract's `ttsData[].config`. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
  /** Requested rate; each audio part carries its actual rate. */
  readonly sampleRateHz: number;
  /** The requesting team: teams take turns at a vendor. */
  readonly team?: string;
  readonly signal: AbortSignal;
  /** Called when another voice takes over. */
  readonly onFailover?: (failover: Failover) => void;
}

/** Word times are milliseconds from the start of the utterance's audio and may come in several parts. */
export type TtsPart =
  | { readonly type: 'audio'; readonly pcm: Int16Array; readonly sampleRateHz: number }
  | { readonly type: 'words'; readonly words: readonly WordTiming[] };

/** Speech synthesis. The stream throws ProviderError; its end means that all audio was delivered. */
export interface Tts {
  readonly provider: string;
  synthesize(request: TtsRequest): AsyncIterable<TtsPart>;
}
