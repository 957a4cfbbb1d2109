import type { TransferMode } from '../settings/settings.ts';

/** Why a transfer came to nothing, as the model is told. */
export type TransferFailure =
  | 'busy'
  | 'no-answer'
  | 'declined'
  | 'voicemail'
  | 'timeout'
  | 'line-error'
  | 'operator-left'
  | 'caller-stopped-waiting';

/** Asked for by the model in a reply that is still being said. */
export interface RequestedTransfer {
  readonly toolCallId: string;
  readonly messageId: string;
}

/** One try to put the caller through. */
export interface Transfer {
  readonly legId: number;
  readonly to: string;
  readonly name: string;
  readonly extension: string;
  readonly mode: TransferMode;
  /** The model's call that asked for it, which its failure answers. */
  readonly toolCallId: string | undefined;
  /** The operator's line: not dialled yet, ringing, answered, or told what the call is about. */
  leg: 'none' | 'ringing' | 'answered' | 'briefed';
  /** The generation that sums the call up for the operator, and what it has said. */
  summaryGenId: number | undefined;
  readonly summary: string[];
  /** What the caller said on hold, and whether they were told that they need not wait. */
  remarks: number;
  offered: boolean;
}
