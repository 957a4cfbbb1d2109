import type { JournalLine } from './journal.ts';

/** A listen-only observer of a live call. */
export interface CallListener {
  /** Interleaved PCM16 of both sides, the caller's sample first. Listeners must not modify the array. */
  audio(pcm: Int16Array): void;
  /** A line of the call's journal, delivered as it is written. */
  event(line: JournalLine): void;
  /** The call is over; nothing follows. */
  ended(reason: string): void;
}

/** A running subscription to a call's audio and journal. */
export interface Listening {
  readonly sampleRateHz: number;
  /** Idempotent. */
  stop(): void;
}

/** Attaches listeners to live calls. */
export interface CallMonitor {
  /** `not-live`: no such live call on this node. `full`: the call has its maximum number of listeners. */
  listen(callId: string, listener: CallListener): Listening | 'not-live' | 'full';
}
