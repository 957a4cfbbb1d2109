import type { CallPlayback, CallStatus } from '../contract/call.ts';

/** How the audio that was sent was heard, as the far end counts. */
export type PlaybackStats = CallPlayback;

/** What a leg shows to whoever looks at the call; carriers ignore it. */
export type LegNotice =
  | {
      readonly type: 'transcript';
      readonly role: 'user' | 'assistant';
      readonly text: string;
      readonly final: boolean;
    }
  | { readonly type: 'state'; readonly user: string; readonly assistant: string }
  | { readonly type: 'status'; readonly status: CallStatus }
  | { readonly type: 'error'; readonly code: string; readonly message: string };

/** One party's connection, as the session uses it. All methods are safe after the leg is gone: they do nothing. */
export interface MediaLeg {
  /** Rate of the PCM16 in both directions. */
  readonly sampleRateHz: number;
  /** Bytes accepted but not yet on the wire; grows when the far end is slow. */
  readonly bufferedBytes: number;
  /** Sends audio into the far end's buffer. The array is the leg's from now on. */
  send(pcm: Int16Array): void;
  /** Asks to be told (`LegSink.mark`) when playback has reached this point; `ends`: an utterance ends here. */
  mark(name: string, ends?: boolean): void;
  /** Drops what the far end has not played; it answers with `LegSink.cleared`. */
  clear(): void;
  notify(notice: LegNotice): void;
  /** Presses keys towards the far end; absent where there is nobody to hear them. */
  sendDtmf?(digits: string): void;
  /** The keys go out as sound among the rest of it. @defaultValue false */
  readonly keysAreSound?: boolean;
  /** The call is over: tells the far end why, then closes. */
  end(reason: string): void;
}

/** What a leg tells the session. */
export interface LegSink {
  /** Any even number of samples; the buffer may be reused after the call returns. */
  audio(pcm: Int16Array): void;
  dtmf(digit: string): void;
  /** Said in writing; absent where nobody types. */
  typed?(text: string): void;
  mark(name: string): void;
  /** `playedMs`: how much of the audio sent since the last clear was played. */
  cleared(playedMs: number): void;
  /** How the audio was heard so far; absent where nobody asks. */
  playback?(stats: PlaybackStats): void;
  hangup(): void;
  /** The connection broke; it may come back. `reason` is a stable code, for the record. */
  lost(reason: string): void;
  /** It came back, with an empty buffer. */
  resumed(): void;
}
