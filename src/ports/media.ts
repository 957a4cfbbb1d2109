import type { CallPlayback, CallStatus } from '../contract/call.ts';
import type { JournalLine } from './journal.ts';

/** Playback statistics of the sent audio, as the far end counts them. */
export type PlaybackStats = CallPlayback;

/** What a leg displays to the person on the call; carriers ignore it. */
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

/** One party's connection, as the session uses it. After the leg has ended every method is safe and does nothing. */
export interface MediaLeg {
  /** Rate of the PCM16 in both directions. */
  readonly sampleRateHz: number;
  /** Bytes accepted but not yet on the wire; grows when the far end is slow. */
  readonly bufferedBytes: number;
  /** Sends audio into the far end's buffer. The leg takes ownership of the array. */
  send(pcm: Int16Array): void;
  /** Asks for a `LegSink.mark` when playback reaches this point; `ends`: an utterance ends here. */
  mark(name: string, ends?: boolean): void;
  /** Drops the audio that the far end has not played; it answers with `LegSink.cleared`. */
  clear(): void;
  notify(notice: LegNotice): void;
  /** Every line of the call's journal; absent where nobody would be told. */
  readonly follow?: (line: JournalLine) => void;
  /** Sends DTMF towards the far end; absent where nobody would hear it. */
  sendDtmf?(digits: string): void;
  /** True if the far end plays what it has while another process takes the call. @defaultValue false */
  readonly playsOn?: boolean;
  /** Sound of an earlier process that the far end still had when it came to this one: how much, and until when it plays. */
  readonly earlierSound?: { readonly durationMs: number; readonly untilMs: number } | undefined;
  /** True if DTMF is sent as tones within the audio. @defaultValue false */
  readonly keysAreSound?: boolean;
  /** The call is over: tells the far end the reason, then closes. */
  end(reason: string): void;
  /** Another process goes on with the call: closes the connection, so that the far end comes back to that. */
  moved(): void;
}

/** Receives what a leg reports to the session. */
export interface LegSink {
  /** Any even number of samples; the buffer may be reused after the call returns. */
  audio(pcm: Int16Array): void;
  dtmf(digit: string): void;
  /** Typed text; absent where nobody can type. */
  typed?(text: string): void;
  mark(name: string): void;
  /** `playedMs`: how much of the audio sent since the last clear was played. */
  cleared(playedMs: number): void;
  /** Playback statistics so far; absent where they are not needed. */
  playback?(stats: PlaybackStats): void;
  hangup(): void;
  /** The connection broke and may resume. `reason` is a stable code, for the record. */
  lost(reason: string): void;
  /** The connection is back, with an empty buffer. */
  resumed(): void;
}
