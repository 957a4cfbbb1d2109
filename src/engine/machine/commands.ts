import type { CallEndTrigger, CallStatus, PhoneCallStatus } from '../../contract/call.ts';
import type {
  AssistantState,
  Failure,
  TranscriptMessage,
  TurnMetrics,
  UserState,
} from '../../contract/call-journal.ts';
import type { EndReason, PartFailure } from '../../contract/failures.ts';
import type { LlmMessage, LlmTool } from '../../ports/llm.ts';
import type { CallSettings, TransferMode } from '../settings/settings.ts';

/** Everything that the engine may ask for. Commands are data; the session carries them out. */
export type CallCommand =
  // Model. The command contains the whole context, so that the journal explains every reply.
  | {
      readonly type: 'llm.start';
      readonly genId: number;
      readonly turn: number;
      readonly messages: readonly LlmMessage[];
      readonly tools: readonly LlmTool[];
      readonly toolChoice: 'auto' | 'none';
      readonly speculative: boolean;
    }
  | { readonly type: 'llm.cancel'; readonly genId: number }
  /** A speculative generation has become the reply. */
  | { readonly type: 'llm.adopt'; readonly genId: number }
  | {
      readonly type: 'predict';
      readonly rev: number;
      readonly text: string;
      readonly lastAssistantText: string;
    }
  /** The caller's voice begins or ends by its level, while voice activity hears a voice all the time. */
  | { readonly type: 'stt.voice'; readonly voiced: boolean }
  /** The caller may have finished: the recogniser is to give final text of what it has. */
  | { readonly type: 'stt.flush' }
  // Voice and playout. Utterances play in the order of their `play.start`.
  | {
      readonly type: 'tts.start';
      readonly uttId: number;
      readonly text: string;
      readonly cache: boolean;
    }
  /** `stalled`: the voice has sent nothing for so long that it counts as failed. */
  | { readonly type: 'tts.cancel'; readonly uttId: number; readonly stalled?: boolean }
  | { readonly type: 'play.start'; readonly uttId: number }
  /** Pause at the next word boundary, at most 150 ms away; answered by `play.held`. */
  | { readonly type: 'play.hold' }
  /** Resume at the held position. */
  | { readonly type: 'play.release' }
  /** Changes the loudness of the assistant. */
  | { readonly type: 'play.volume'; readonly gainDb: number }
  /** Drop what is queued and playing; answered by `play.cleared` for the utterance that was playing. */
  | { readonly type: 'play.clear' }
  /** A quiet backchannel while the caller speaks; no event answers it. */
  | { readonly type: 'play.backchannel'; readonly text: string }
  // A transfer. `legId` numbers the legs that a call dials to operators.
  | {
      readonly type: 'leg.dial';
      readonly legId: number;
      readonly to: string;
      readonly name: string;
      readonly mode: TransferMode;
      /** From dialling to the answer. */
      readonly timeoutMs: number;
      /** If false, a blind transfer may hand the caller over to the carrier (`operator.accepted`). */
      readonly keepLegs: boolean;
    }
  /** A second engine talks to the operator; `briefingEvent` maps its commands to events of this call. */
  | { readonly type: 'leg.brief'; readonly legId: number; readonly settings: CallSettings }
  /** Connects caller and operator; the assistant stays silent from then on. */
  | { readonly type: 'leg.bridge'; readonly legId: number; readonly record: boolean }
  /** Asks for the sound of a leg whose process died (`operator.answered`); it is the operator's who talks with the caller. */
  | { readonly type: 'leg.resume'; readonly legId: number; readonly record: boolean }
  | {
      readonly type: 'leg.hangup';
      readonly legId: number;
      readonly reason: string;
      /** Said to an operator who has answered, before hanging up. */
      readonly say?: string;
    }
  /** Without a `legId`, to the caller's leg. */
  | { readonly type: 'leg.dtmf'; readonly legId?: number; readonly digits: string }
  /** A person speaks with the caller, by the microphone with which they asked to. */
  | { readonly type: 'supervisor.join'; readonly by: string }
  | { readonly type: 'supervisor.leave' }
  /** Music for the caller, quieter while something is said; without `url`, the built-in music. */
  | { readonly type: 'hold.music'; readonly on: boolean; readonly url?: string }
  // Tools.
  | {
      readonly type: 'tool.invoke';
      readonly toolCallId: string;
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'tool.cancel'; readonly toolCallId: string }
  /** The call moved to another node of its workflow. */
  | {
      readonly type: 'workflow.step';
      readonly from: string;
      readonly to: string;
      readonly by: 'model' | 'variables' | 'taken-back';
      readonly variables: Readonly<Record<string, string>>;
    }
  // The record. `append` and `patch` change the stored transcript; `live` is for display only.
  | { readonly type: 'transcript.append'; readonly message: TranscriptMessage }
  | {
      readonly type: 'transcript.patch';
      readonly messageId: string;
      readonly text: string;
      readonly frozen: boolean;
    }
  | {
      readonly type: 'transcript.live';
      readonly role: 'user' | 'assistant';
      readonly text: string;
      readonly final: boolean;
    }
  | { readonly type: 'state'; readonly user: UserState; readonly assistant: AssistantState }
  | { readonly type: 'turn.metrics'; readonly metrics: TurnMetrics }
  | {
      readonly type: 'status';
      readonly status: CallStatus;
      readonly phoneCallStatus?: PhoneCallStatus;
    }
  /** Webhooks that are not a status, a message or the final report. */
  | { readonly type: 'webhook'; readonly kind: 'hang'; readonly data: { readonly turn: number } }
  | { readonly type: 'webhook'; readonly kind: 'error'; readonly data: PartFailure }
  | {
      readonly type: 'log';
      readonly note: string;
      readonly data?: Readonly<Record<string, unknown>>;
    }
  /** Answers a `control.*` event, among the commands that it leads to. */
  | { readonly type: 'control.accepted' }
  | { readonly type: 'control.refused'; readonly reason: string }
  // The end. `hangup` closes the caller's leg; `finish` is always the last command of a call.
  | { readonly type: 'hangup'; readonly reason: string }
  | {
      readonly type: 'finish';
      readonly status: 'finished' | 'forwarded';
      readonly endReason: EndReason;
      readonly trigger?: CallEndTrigger;
      readonly failure?: Failure;
    };

/** A command, and when the engine gave it, in ms since the call was created. */
export type StampedCommand = CallCommand & { readonly at: number };
