import type { CallEvent } from '../../../src/engine/machine/events.ts';
import type { CallSettings } from '../../../src/engine/settings/settings.ts';
import type { Latency, RecogniserName } from './vendor-profiles.ts';

export const CLASSES = [
  'clean',
  'pauses',
  'numbers',
  'barge-ins',
  'backchannels',
  'noises',
  'side-talk',
  'echo',
  'television',
  'slow-voices',
  'stalled-voices',
  'welcome-races',
  'recogniser',
  'control',
  'goldens',
] as const;

export type ScriptClass = (typeof CLASSES)[number];

/** A stretch of sound and the silence after it. Without text it is sound that is no speech. */
export interface Part {
  readonly text: string;
  readonly ms: number;
  /** Silence until the next part; nothing after the last. */
  readonly pauseMs: number;
}

/** When an act begins. */
export type Anchor =
  /** This long after the call was answered. */
  | { readonly after: 'answer'; readonly ms: number }
  /** Once the assistant has spoken (again) and has then been quiet for this long. */
  | { readonly after: 'reply'; readonly ms: number }
  /** This long after the act before has ended. */
  | { readonly after: 'act'; readonly ms: number }
  /** As the assistant's next reply has sounded for so long. */
  | { readonly into: 'reply'; readonly ms: number }
  /** As this share of the next reply has sounded. */
  | { readonly into: 'reply'; readonly share: number };

/** What a caller's sound is, in truth. */
export type ActKind =
  | 'turn'
  | 'interruption'
  | 'backchannel'
  | 'noise'
  | 'echo'
  | 'side-talk'
  | 'background'
  | 'control';

/** How recogniser and voice activity take an act, where it is not the ordinary way. */
export interface Hearing {
  /** `late`: a voice noticed only after `vadLagMs`. */
  readonly vad?: 'normal' | 'none';
  readonly vadLagMs?: number;
  readonly text?: 'normal' | 'none' | 'final-only' | 'interims-only';
  /** Added to the vendor's latency of the final. */
  readonly finalExtraMs?: number;
  /** The final comes in two, this far apart. */
  readonly splitMs?: number;
  /** The two come in the wrong order. */
  readonly reorder?: boolean;
  /** Share of interims whose last word is wrong. */
  readonly rewritten?: number;
  readonly punctuation?: 'full' | 'none';
  /** Share of the pauses before which the recogniser writes a full stop. @defaultValue 0.25 */
  readonly fullStops?: number;
}

export interface Act {
  readonly kind: ActKind;
  readonly start: Anchor;
  readonly parts: readonly Part[];
  readonly hearing?: Hearing;
  /** Level against the caller's own speech, dB. @defaultValue 0 */
  readonly levelDb?: number;
  /** What the caller does when the assistant speaks into the turn. @defaultValue yield */
  readonly whenCutIn?: 'yield' | 'insist';
  /** Lag of an echo behind the assistant's own words; its parts are taken from what plays. */
  readonly echoLagMs?: number;
  /** Events that come with it, from its start on. */
  readonly events?: readonly { readonly ms: number; readonly event: CallEvent }[];
  /** A deserving act that is answered by nothing more than silence; such as a goodbye after which it hangs up. */
  readonly unanswered?: boolean;
  /** A greeting: the assistant's own answers it as well as the model does. */
  readonly greeting?: boolean;
}

/** One answer of the model. */
export interface PlannedReply {
  readonly pieces?: readonly string[];
  readonly calls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly args?: string;
  }[];
  /** Said once the tools have answered. */
  readonly afterTools?: readonly string[];
  readonly fails?: 'error' | 'silent';
}

export interface PlannedTool {
  readonly ms: number;
  readonly result?: string;
}

export interface Plan {
  readonly replies: readonly PlannedReply[];
  /** Pace of the assistant's voice. */
  readonly msPerWord: number;
  readonly wordTimes: boolean;
  /** Of the voice's first audio, where it is not the usual. */
  readonly voiceFirst?: Latency;
  /** The welcome's first audio takes so long. */
  readonly welcomeFirstMs?: number;
  /** The voice gives this much of each reply and then nothing; it fails after its deadline of 5 s. */
  readonly stallsAfterMs?: number;
  readonly tools?: Readonly<Record<string, PlannedTool>>;
  /** What becomes of a transfer. */
  readonly operator?:
    | 'busy'
    | 'no-answer'
    | 'line-error'
    | 'declined'
    | 'voicemail'
    | 'timeout'
    | 'hung-up';
  /** Texts of which these are part get no audio. */
  readonly voiceFailsOn?: string;
}

/** What must hold at the end of a hand-written conversation. */
export interface Expectation {
  /** The transcript, each line `role: text`. */
  readonly transcript?: readonly string[];
  /** Replies of the assistant that were heard, whatever their kind. */
  readonly replies?: number;
  readonly ends?: string;
  /** Commands that must (or, with 0, must not) have been given, and how often. */
  readonly commands?: Readonly<Record<string, number>>;
  /** Notes of the log that must stand in it. */
  readonly notes?: readonly string[];
  /** The caller's `n`th act was answered within these bounds after its end, ms. */
  readonly gapMs?: readonly [number, number];
  /** What the last model request's last message says. */
  readonly lastRequest?: string;
}

/** A call to be: who makes which sound when, how the vendors behave, and what the assistant would say. */
export interface Script {
  readonly id: string;
  readonly class: ScriptClass;
  /** What sort of its class it is. */
  readonly sort: string;
  readonly language: string;
  readonly seed: string;
  readonly recogniser: RecogniserName;
  readonly hearing: Hearing;
  /** Loudness of the caller's speech, dBFS. */
  readonly callerDb: number;
  /** Speech that goes on beside the caller from the first moment to the last, so much softer. */
  readonly television?: { readonly underDb: number; readonly sentences: readonly string[] };
  /** The words come from the phrases that nothing but the corpus reads. */
  readonly neverSeen: boolean;
  readonly settings: Partial<CallSettings>;
  readonly plan: Plan;
  readonly acts: readonly Act[];
  /** How long the call lives on after the last act. */
  readonly tailMs: number;
  readonly rules?: readonly string[];
  readonly expect?: Expectation;
}
