import type { JournalLine } from './journal.ts';

/** Somebody who listens to a live call, and takes no part in it. */
export interface CallListener {
  /** Interleaved PCM16 of both sides, the caller's sample first; not to be changed. */
  audio(pcm: Int16Array): void;
  /** A line of the call's log, as it is written. */
  event(line: JournalLine): void;
  /** The call is over: nothing follows. */
  ended(reason: string): void;
}

/** A listener's place at a call. */
export interface Listening {
  readonly sampleRateHz: number;
  /** Idempotent. */
  stop(): void;
}

/** Lets listeners in to live calls. */
export interface CallMonitor {
  /** Why nobody may listen: no such live call here, or as many listen already as may. */
  listen(callId: string, listener: CallListener): Listening | 'not-live' | 'full';
}
