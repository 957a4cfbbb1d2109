import type { ProviderError } from '../../lib/errors.ts';
import type { FailureClass } from '../../ports/provider-failure.ts';

/** Settings of a new connection. */
export interface SttSetup {
  readonly sampleRateHz: number;
  readonly languages: readonly string[];
  readonly hints: readonly string[];
}

/** A parsed vendor frame. Times are milliseconds of audio sent on this connection. */
export type HeardFrame =
  /** The vendor accepts audio from now on. */
  | { readonly type: 'ready' }
  /** The protocol requires this frame to be sent. */
  | { readonly type: 'send'; readonly frame: string }
  | {
      readonly type: 'interim' | 'final';
      /** The vendor's name of the segment, unique on this connection. */
      readonly segment: string;
      readonly text: string;
      readonly startMs: number;
      readonly endMs: number;
      readonly confidence: number;
    }
  /** All audio up to here has been processed, with or without text. */
  | { readonly type: 'settled'; readonly endMs: number }
  | { readonly type: 'eot'; readonly probability: number; readonly eager: boolean }
  | { readonly type: 'resumed' }
  /** A malformed frame; one is harmless, many are an error. */
  | { readonly type: 'malformed' }
  | { readonly type: 'error'; readonly error: ProviderError };

/** The protocol state of one connection. Pure: it remembers the conversation, but has no clock and no I/O. */
export interface SttDialogue {
  readonly audio: (pcm: Int16Array) => string | Uint8Array;
  /** Requests the final text of the speech so far, if the vendor supports it. */
  readonly flush?: string;
  /** Keeps an idle connection open; absent: only audio does. */
  readonly keepAlive?: string;
  readonly farewell?: string;
  receive(frame: string | Uint8Array): readonly HeardFrame[];
}

/** The protocol of an STT vendor with a WebSocket. */
export interface SttVendor {
  readonly provider: string;
  readonly inputRatesHz: readonly number[];
  readonly finalLatencyP99Ms: number;
  /** True if the vendor detects the end of a turn itself. */
  readonly turnAware?: boolean;
  /** True if its flush may come at a silence too short to be a pause; false where each one costs a request. */
  readonly flushesAtLulls?: boolean;
  /** Audio per message, and the minimum that a flush may send. */
  readonly chunkMs: number;
  readonly minChunkMs: number;
  /** Audio accepted at once, and the maximum speed after that, relative to real time. */
  readonly burstMs: number;
  readonly maxSpeed: number;
  /** An idle connection is kept alive after this time without sending. */
  readonly idleMs: number;
  /** True if the vendor announces that it is ready; otherwise it is ready once connected. */
  readonly greets: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** Failure classes of the vendor's own close codes. */
  readonly closeClasses?: Readonly<Record<number, FailureClass>>;
  url(setup: SttSetup): string;
  dialogue(setup: SttSetup): SttDialogue;
}
