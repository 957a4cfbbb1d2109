import type { LegSink, MediaLeg } from './media.ts';

/** A second leg that a live call wants. */
export interface OperatorDial {
  readonly callId: string;
  readonly to: string;
  /** It rings at least so long; whoever asked gives up by `hangUp`. */
  readonly ringMs: number;
  /** The carrier may hand the caller on for good, where it can. */
  readonly mayHandOver: boolean;
}

/** What becomes of it: perhaps `ringing`, then one of the others, once. */
export interface OperatorEvents {
  ringing(): void;
  /** They took the telephone; all that follows comes to the sink. */
  answered(leg: MediaLeg): LegSink;
  failed(reason: 'busy' | 'no-answer' | 'line-error', code: string): void;
  /** The caller is with them, and no longer with us. */
  handedOver(): void;
}

/** Telephones operators for live calls of any kind. */
export interface OperatorLine {
  /** Never throws: whatever goes wrong is told to `events`, later. */
  dial(request: OperatorDial, events: OperatorEvents): DialledOperator;
}

export interface DialledOperator {
  /** Stops the ringing; nothing is told any more. Who has answered is let go by the leg's own end. */
  hangUp(): void;
}
