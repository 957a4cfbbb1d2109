import type { Failover } from './failover.ts';
import type { ProviderFailure } from './provider-failure.ts';

export interface SttOptions {
  /** Rate of the PCM16 that will be written. One of the recogniser's `inputRatesHz`. */
  readonly sampleRateHz: number;
  /** BCP 47 tags, most likely first. */
  readonly languages: readonly string[];
  /** Words and names to favour. */
  readonly hints: readonly string[];
  /** Whole sentences the caller may well say; what a closed-grammar recogniser listens for. */
  readonly phrases: readonly string[];
  /** Whose caller it is: teams share a vendor's streams. */
  readonly team?: string;
  readonly onEvent: (event: SttEvent) => void;
  /** Told when another recogniser has taken over. */
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
  /** The recogniser itself judges the turn to be over; `eager` may be taken back by `resumed`. */
  | { readonly type: 'eot'; readonly probability: number; readonly eager: boolean }
  | { readonly type: 'resumed' }
  | { readonly type: 'error'; readonly error: ProviderFailure };

/** One caller's recognition. Writes never block; a full queue drops its oldest audio and counts it. */
export interface SttStream {
  /** Mono PCM16 at the agreed rate. The buffer may be reused by the caller after the call returns. */
  write(pcm: Int16Array): void;
  /** The caller's speech started or paused, by voice activity: lets a recogniser segment or flush. */
  speechStarted(): void;
  speechEnded(): void;
  readonly droppedMs: number;
  close(): void;
}

export interface Stt {
  readonly provider: string;
  readonly inputRatesHz: readonly number[];
  /** 99th percentile from the end of speech to the final text, ms (`sttP99`). */
  readonly finalLatencyP99Ms: number;
  /** It judges itself when a turn is over, and says so with `eot`. */
  readonly turnAware?: boolean;
  /** Resolves when the recogniser is ready to hear; rejects with ProviderError. */
  open(options: SttOptions): Promise<SttStream>;
}
