import type { Failure } from '../../contract/call-journal.ts';
import type { ControlEvent } from '../../contract/control.ts';
import type { EndReason } from '../../contract/failures.ts';
import type { WordTiming } from '../../ports/tts.ts';

/**
 * Everything that may enter the call machine. Times named `…At` are milliseconds since the call was
 * created, on the same scale as the stamp; `…Ms` are durations. Vendor events carry the id of the
 * command that asked for them; an event with a stale id has no effect.
 */
export type CallEvent =
  // The caller's connection.
  | { readonly type: 'leg.ringing'; readonly early: boolean }
  | { readonly type: 'leg.answered' }
  | {
      readonly type: 'leg.failed';
      readonly reason: 'busy' | 'no-answer' | 'failed';
      readonly code: string;
    }
  | { readonly type: 'remote.hangup' }
  | { readonly type: 'media.lost' }
  /** The process of the call died, and with it the caller's connection. */
  | { readonly type: 'process.lost' }
  | { readonly type: 'media.resumed' }
  // The caller's sound.
  | {
      readonly type: 'vad.start';
      readonly onsetAt: number;
      /** Level of the voice, dBFS; absent where nothing measures it. */
      readonly db?: number;
    }
  /** What may become a voice, before voice activity is sure; told only while a reply is about to begin. */
  | { readonly type: 'vad.maybe'; readonly db: number }
  /** While a voice is heard: how loud the last 200 ms were at most, dBFS, and since when it has been like that. */
  | { readonly type: 'vad.level'; readonly sinceAt: number; readonly db: number }
  | { readonly type: 'vad.stop'; readonly speechEndAt: number }
  /** The voice has been silent for a moment, too short for a pause; told only of recognisers that can be flushed. */
  | { readonly type: 'vad.lull' }
  /** Every 500 ms while the caller's voice is detected. */
  | { readonly type: 'vad.alive' }
  | {
      readonly type: 'stt.interim' | 'stt.final';
      readonly segId: string;
      readonly text: string;
      readonly startAt: number;
      readonly endAt: number;
      readonly conf: number;
    }
  | { readonly type: 'stt.eot'; readonly eager: boolean; readonly p: number }
  | { readonly type: 'stt.error'; readonly error: Failure }
  /** The recogniser is connected, for the first time or again. */
  | { readonly type: 'stt.ready' }
  /** Y5: what the person who has taken the call over says to the caller; it may come after they gave it back. */
  | {
      readonly type: 'supervisor.said';
      readonly by: string;
      readonly text: string;
      readonly startAt: number;
      readonly endAt: number;
    }
  | { readonly type: 'predict.result'; readonly rev: number; readonly p: number }
  | { readonly type: 'dtmf'; readonly digit: string }
  /** The caller typed a line. */
  | { readonly type: 'typed'; readonly text: string }
  /** The tone of an answering machine. */
  | { readonly type: 'beep' }
  // The model. `text` is one piece, ready for synthesis.
  | { readonly type: 'llm.text'; readonly genId: number; readonly text: string }
  | {
      readonly type: 'llm.toolCall';
      readonly genId: number;
      readonly toolCallId: string;
      readonly name: string;
      readonly arguments: string;
      /** Why the arguments are invalid, for the model. */
      readonly problem?: string;
    }
  | { readonly type: 'llm.done'; readonly genId: number; readonly reason: string }
  | { readonly type: 'llm.error'; readonly genId: number; readonly error: Failure }
  // The voice. `tts.audio` is the first audio of the utterance.
  | { readonly type: 'tts.audio'; readonly uttId: number }
  | { readonly type: 'tts.words'; readonly uttId: number; readonly words: readonly WordTiming[] }
  | { readonly type: 'tts.done'; readonly uttId: number; readonly totalMs: number }
  | { readonly type: 'tts.failed'; readonly uttId: number; readonly error: Failure }
  // Playback at the far end. `playedMs` counts from the utterance's start.
  | { readonly type: 'play.started'; readonly uttId: number }
  | { readonly type: 'play.mark'; readonly uttId: number; readonly playedMs: number }
  | { readonly type: 'play.held'; readonly uttId: number; readonly playedMs: number }
  | { readonly type: 'play.finished'; readonly uttId: number }
  | { readonly type: 'play.cleared'; readonly uttId: number; readonly playedMs: number }
  // Tools.
  | {
      readonly type: 'tool.result';
      readonly toolCallId: string;
      readonly result: string;
      readonly message?: string;
    }
  | {
      readonly type: 'tool.error';
      readonly toolCallId: string;
      readonly error: string;
      readonly message?: string;
      /** Set if the tool is broken; absent if it refuses as designed. */
      readonly code?: string;
    }
  // The leg to an operator; `legId` is that of its `leg.dial`.
  | {
      readonly type:
        | 'operator.ringing'
        | 'operator.answered'
        /** The operator accepted the call; in a blind transfer, the carrier took it over. */
        | 'operator.accepted'
        | 'operator.hungUp';
      readonly legId: number;
    }
  | {
      readonly type: 'operator.declined';
      readonly legId: number;
      readonly reason: 'declined' | 'voicemail' | 'timeout';
    }
  | {
      readonly type: 'operator.failed';
      readonly legId: number;
      readonly reason: 'busy' | 'no-answer' | 'line-error';
      readonly code: string;
    }
  | ControlEvent
  /** A vendor failed and `successor` took over; they are the same if it was asked again. */
  | {
      readonly type: 'vendor.failover';
      readonly port: 'stt' | 'llm' | 'tts';
      readonly vendor: string;
      readonly successor: string;
      readonly delayMs: number;
      readonly error: Failure;
    }
  /** Another process of the service has taken the call over. `gapMs`: for how long none had it. */
  | { readonly type: 'call.resumed'; readonly gapMs: number }
  /** The service ends the call, because it stops or has failed. */
  | { readonly type: 'system.end'; readonly reason: EndReason; readonly text?: string };

/** The place of an event in the journal, and its instant. */
export interface Stamp {
  readonly seq: number;
  /** Whole milliseconds since the call was created. */
  readonly at: number;
}

export type StampedEvent = CallEvent & Stamp;
