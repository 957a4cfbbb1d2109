import type { TransferMode } from '../settings/settings.ts';

/** Why a transfer failed; the model is told in these words. */
export type TransferFailure =
  | 'busy'
  | 'no-answer'
  | 'declined'
  | 'voicemail'
  | 'timeout'
  | 'line-error'
  | 'operator-left'
  | 'caller-stopped-waiting';

/** The model asked for a transfer in a reply that is still being spoken. */
export interface RequestedTransfer {
  readonly toolCallId: string;
  readonly messageId: string;
}

/** One attempt to put the caller through. */
export interface Transfer {
  readonly legId: number;
  readonly to: string;
  readonly name: string;
  readonly extension: string;
  readonly mode: TransferMode;
  /** The tool call that asked for the transfer; its result tells the model of a failure. */
  readonly toolCallId: string | undefined;
  /** The operator's leg: not dialled, ringing, answered, or briefed about the call. */
  leg: 'none' | 'ringing' | 'answered' | 'briefed';
  /** The generation that summarises the call for the operator, and its text so far. */
  summaryGenId: number | undefined;
  readonly summary: string[];
  /** How often the caller spoke on hold, and whether they were offered to stop waiting. */
  remarks: number;
  offered: boolean;
}
