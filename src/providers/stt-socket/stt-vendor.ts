import type { ProviderError } from '../../lib/errors.ts';
import type { FailureClass } from '../../ports/provider-failure.ts';

/** What a recogniser is set to when a line is opened. */
export interface SttSetup {
  readonly sampleRateHz: number;
  readonly languages: readonly string[];
  readonly hints: readonly string[];
}

/** What a frame of a vendor means. Times are milliseconds of audio sent on this connection. */
export type HeardFrame =
  /** From now on audio is taken. */
  | { readonly type: 'ready' }
  /** Our turn to say this. */
  | { readonly type: 'send'; readonly frame: string }
  | {
      readonly type: 'interim' | 'final';
      /** The vendor's own name of it, unique on this connection. */
      readonly segment: string;
      readonly text: string;
      readonly startMs: number;
      readonly endMs: number;
      readonly confidence: number;
    }
  /** Up to here all is heard, whether or not there was anything to say. */
  | { readonly type: 'settled'; readonly endMs: number }
  | { readonly type: 'eot'; readonly probability: number; readonly eager: boolean }
  | { readonly type: 'resumed' }
  /** A frame that makes no sense; one is no harm, many are. */
  | { readonly type: 'malformed' }
  | { readonly type: 'error'; readonly error: ProviderError };

/** One connection's dialogue. Pure: it may remember what was said, and nothing else. */
export interface SttDialogue {
  readonly audio: (pcm: Int16Array) => string | Uint8Array;
  /** Asks for the final text of what was said, where the vendor can be asked. */
  readonly flush?: string;
  /** Keeps an idle connection; absent: only audio does. */
  readonly keepAlive?: string;
  readonly farewell?: string;
  receive(frame: string | Uint8Array): readonly HeardFrame[];
}

/** A vendor that hears over a WebSocket. */
export interface SttVendor {
  readonly provider: string;
  readonly inputRatesHz: readonly number[];
  readonly finalLatencyP99Ms: number;
  /** It judges itself when a turn is over. */
  readonly turnAware?: boolean;
  /** Audio of one message, and the least of it that a flush may send. */
  readonly chunkMs: number;
  readonly minChunkMs: number;
  /** How much audio it takes at once, and how many times faster than it is spoken after that. */
  readonly burstMs: number;
  readonly maxSpeed: number;
  /** A connection is kept alive after this long without anything sent. */
  readonly idleMs: number;
  /** It says itself when it is ready; else it is as soon as it is connected. */
  readonly greets: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** What its own close codes mean. */
  readonly closeClasses?: Readonly<Record<number, FailureClass>>;
  url(setup: SttSetup): string;
  talk(setup: SttSetup): SttDialogue;
}
