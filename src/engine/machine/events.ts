import type { Failure } from '../../contract/call-journal.ts';
import type { ControlEvent } from '../../contract/control.ts';
import type { EndReason } from '../../contract/failures.ts';
import type { WordTiming } from '../../ports/tts.ts';

/**
 * Everything that may enter the call machine. Times named `…At` are milliseconds since the call was
 * created, on the same scale as the stamp; `…Ms` are durations. Vendor events carry the id of the
 * command that asked for them: a stale id changes nothing but the log.
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
  | { readonly type: 'media.resumed' }
  // The caller's sound.
  | { readonly type: 'vad.start'; readonly onsetAt: number }
  | { readonly type: 'vad.stop'; readonly speechEndAt: number }
  /** Every 500 ms while voiced. */
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
  /** The recogniser is (again) listening. */
  | { readonly type: 'stt.ready' }
  | { readonly type: 'predict.result'; readonly rev: number; readonly p: number }
  | { readonly type: 'dtmf'; readonly digit: string }
  /** Written instead of spoken. */
  | { readonly type: 'typed'; readonly text: string }
  /** The tone after which a machine records. */
  | { readonly type: 'beep' }
  // The model. `text` is one speakable piece, already split.
  | { readonly type: 'llm.text'; readonly genId: number; readonly text: string }
  | {
      readonly type: 'llm.toolCall';
      readonly genId: number;
      readonly toolCallId: string;
      readonly name: string;
      readonly arguments: string;
      /** Why they can't be taken, in words for the model. */
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
      /** Set where something is broken; absent where the tool refuses as it is meant to. */
      readonly code?: string;
    }
  // The leg to an operator, by the number its `leg.dial` gave it; the caller's own is above.
  | {
      readonly type:
        | 'operator.ringing'
        | 'operator.answered'
        /** The operator took the call; after a blind transfer, the carrier has taken it over. */
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
  /** A vendor failed and another took over; `successor` is the same one where a model was asked again. */
  | {
      readonly type: 'vendor.failover';
      readonly port: 'stt' | 'llm' | 'tts';
      readonly vendor: string;
      readonly successor: string;
      readonly delayMs: number;
      readonly error: Failure;
    }
  /** The service itself must end the call: drain deadline, internal failure. */
  | { readonly type: 'system.end'; readonly reason: EndReason; readonly text?: string };

/** What the journal keeps of an event: its place in the order and its instant. */
export interface Stamp {
  readonly seq: number;
  /** Whole milliseconds since the call was created. */
  readonly at: number;
}

export type StampedEvent = CallEvent & Stamp;
