import type {
  CallEndTrigger,
  CallPlayback,
  CallStatus,
  PhoneCallStatus,
} from '../contract/call.ts';
import type { Failure, TranscriptMessage, TurnMetrics } from '../contract/call-journal.ts';
import type { EndReason } from '../contract/failures.ts';
import type { CallConsent } from '../contract/recording-consent.ts';
import type { CallCost, UsageLine } from '../contract/usage.ts';
import type { WebhookContent } from '../contract/webhooks.ts';
import type { JournalLine } from './journal.ts';

/** Changes to the call's own record; times are epoch ms. */
export interface CallPatch {
  readonly status?: CallStatus;
  readonly phoneCallStatus?: PhoneCallStatus;
  readonly answeredAt?: number;
  readonly endAt?: number;
  readonly endReason?: EndReason;
  readonly endTrigger?: CallEndTrigger;
  readonly failure?: Failure;
  readonly playback?: CallPlayback;
  readonly consent?: CallConsent;
  readonly usage?: readonly UsageLine[];
  readonly cost?: CallCost;
  readonly recording?: {
    readonly path: string;
    readonly sampleRateHz: number;
    readonly durationMs: number;
    readonly bytes: number;
    /** The disk failed: audio after this time (ISO 8601) is missing from the file. */
    readonly stoppedAt?: string;
  };
  /** The call's record is complete; no further change follows. */
  readonly settled?: true;
}

/** What a command of the engine tells the server of the call's assistant. */
export interface WebhookUpdate {
  /** A new message of the conversation, or the new text of one. */
  readonly message?: TranscriptMessage | Pick<TranscriptMessage, 'messageId' | 'text'>;
  /** The webhook that is due, with the conversation as this message leaves it. */
  readonly webhook?: WebhookContent;
}

/** The update by a line of the journal. It is sent once, even if the line is written again. */
export interface WebhookUpdateLine extends WebhookUpdate, Pick<JournalLine, 'seq' | 'at'> {}

/** Everything in one flush: stored together or not at all. Writing it again is harmless. */
export interface CallBatch {
  readonly callId: string;
  readonly lines: readonly JournalLine[];
  /** What these lines tell the server of the assistant, in their order. */
  readonly webhookUpdates?: readonly WebhookUpdateLine[];
  /** Whole messages; a later one replaces an earlier one with the same id. */
  readonly messages: readonly TranscriptMessage[];
  /** Turns measured since the last batch. */
  readonly turns?: readonly TurnMetrics[];
  readonly patch: CallPatch;
  /** The person on the line has asked not to be called again. */
  readonly doNotCall?: true;
}

export interface CallStore {
  /**
   * Rejects when the batch could not be stored now; with an error whose `code` is `call-taken` when another process
   * owns the call. Idempotent.
   */
  write(batch: CallBatch): Promise<void>;
  /** Writes at once what was given and waits for others to be written with it; absent if nothing ever waits. */
  hurry?(): void;
}
