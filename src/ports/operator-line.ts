import type { LegSink, MediaLeg } from './media.ts';

/** An operator's leg, as the call's machine numbers it. */
export interface OperatorLegName {
  readonly callId: string;
  readonly legId: number;
}

/** A request to dial an operator as the second leg of a live call. */
export interface OperatorDial extends OperatorLegName {
  readonly to: string;
  /** The line rings at least this long; the requester gives up with `hangUp`. */
  readonly ringMs: number;
  /** True if the carrier may take the caller over for good, where it supports that. */
  readonly mayHandOver: boolean;
}

/** What happens to a dial: optionally `ringing`, then exactly one of the others. */
export interface OperatorEvents {
  ringing(): void;
  /** The operator answered; the leg reports to the returned sink. */
  answered(leg: MediaLeg): LegSink;
  failed(reason: 'busy' | 'no-answer' | 'line-error', code: string): void;
  /** The carrier connected the caller to the operator and the call has left this service. */
  handedOver(): void;
}

/** Dials operators for live calls of any kind. */
export interface OperatorLine {
  /** Never throws: errors are reported to `events`, later. */
  dial(request: OperatorDial, events: OperatorEvents): DialledOperator;
  /** The same for a leg that another process dialled, which was connected to the caller there: asks for its sound. */
  resume(leg: OperatorLegName, events: OperatorEvents): DialledOperator;
  /** Hangs up a leg that another process dialled. */
  release(leg: OperatorLegName): void;
}

export interface DialledOperator {
  /** Stops the ringing; no event follows. An answered operator is hung up by `leg.end`. */
  hangUp(): void;
  /** Leaves an answered operator to another process, without hanging up; no event follows. */
  leave(): void;
}
