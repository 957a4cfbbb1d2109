import type { Failover } from './failover.ts';
import type { ProviderFailure } from './provider-failure.ts';

export interface SttOptions {
  /** Rate of the PCM16 that will be written. One of the recogniser's `inputRatesHz`. */
  readonly sampleRateHz: number;
  /** BCP 47 tags, most likely first. */
  readonly languages: readonly string[];
  /** Words and names to favour. */
  readonly hints: readonly string[];
  /** Whole sentences that the caller is likely to say; a closed-grammar recogniser recognises only these. */
  readonly phrases: readonly string[];
  /** The team of the call: teams share a vendor's streams. */
  readonly team?: string;
  /** Names and terms that the caller may ask about, in questions of any form. */
  readonly topics?: readonly string[];
  readonly onEvent: (event: SttEvent) => void;
  /** Called when another recogniser has taken over. */
  readonly onFailover?: (failover: Failover) => void;
  readonly signal: AbortSignal;
}

/** Times are milliseconds of audio written to this stream. */
export type SttEvent =
  | {
      readonly type: 'interim' | 'final';
      readonly segmentId: string;
      readonly text: string;
      readonly startMs: number;
      readonly endMs: number;
      /** 0…1. */
      readonly confidence: number;
    }
  /** The recogniser itself detects the end of the turn; `resumed` may revoke an `eager` one. */
  | { readonly type: 'eot'; readonly probability: number; readonly eager: boolean }
  | { readonly type: 'resumed' }
  | { readonly type: 'error'; readonly error: ProviderFailure };

/** Recognition of one caller. Writes never block; a full queue drops its oldest audio and counts it. */
export interface SttStream {
  /** Mono PCM16 at the agreed rate. The buffer may be reused after this method returns. */
  write(pcm: Int16Array): void;
  /** The caller's speech started or paused, by VAD: lets a recogniser segment or flush. */
  speechStarted(): void;
  speechEnded(): void;
  /**
   * The caller may have paused: gives final text of what was heard so far, if the recogniser can. `speechStarted`
   * follows where the caller goes on, else `speechEnded`.
   */
  flush(): void;
  readonly droppedMs: number;
  close(): void;
}

export interface Stt {
  readonly provider: string;
  readonly inputRatesHz: readonly number[];
  /** 99th percentile from the end of speech to the final text, ms (`sttP99`). */
  readonly finalLatencyP99Ms: number;
  /** True if the recogniser detects the end of a turn and reports it with `eot`. */
  readonly turnAware?: boolean;
  /** True if `flush` brings final text sooner than `speechEnded` alone, at no cost in accuracy or requests. */
  readonly flushes?: boolean;
  /** True if interim text leaves out much of what is being said, so that no new word does not mean that nobody speaks. */
  readonly sparseInterims?: boolean;
  /** Resolves when the recogniser can accept audio; rejects with ProviderError. */
  open(options: SttOptions): Promise<SttStream>;
}
