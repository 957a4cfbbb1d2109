import type {
  CallEndTrigger,
  CallPlayback,
  CallStatus,
  PhoneCallStatus,
} from '../contract/call.ts';
import type { Failure, TranscriptMessage, TurnMetrics } from '../contract/call-journal.ts';
import type { EndReason } from '../contract/failures.ts';
import type { CallCost, UsageLine } from '../contract/usage.ts';
import type { JournalLine } from './journal.ts';

/** What changes on the call's own record; instants are epoch ms. */
export interface CallPatch {
  readonly status?: CallStatus;
  readonly phoneCallStatus?: PhoneCallStatus;
  readonly answeredAt?: number;
  readonly endAt?: number;
  readonly endReason?: EndReason;
  readonly endTrigger?: CallEndTrigger;
  readonly failure?: Failure;
  readonly playback?: CallPlayback;
  readonly usage?: readonly UsageLine[];
  readonly cost?: CallCost;
  readonly recording?: {
    readonly path: string;
    readonly sampleRateHz: number;
    readonly durationMs: number;
    readonly bytes: number;
    /** The disk failed: what was said after this instant (ISO 8601) is not in the file. */
    readonly stoppedAt?: string;
  };
  /** Nothing more comes of the call. */
  readonly settled?: true;
}

/** Everything of one flush: kept together or not at all, and again without harm. */
export interface CallBatch {
  readonly callId: string;
  readonly lines: readonly JournalLine[];
  /** Whole messages; a later one with the same id replaces the former. */
  readonly messages: readonly TranscriptMessage[];
  /** Turns that were measured since the last one. */
  readonly turns?: readonly TurnMetrics[];
  readonly patch: CallPatch;
}

export interface CallStore {
  /** Rejects when the batch could not be kept now. Idempotent. */
  write(batch: CallBatch): Promise<void>;
}
