import type { WireFrame } from '../../ports/carrier-media.ts';

/** What the service says over a media socket, as its carrier understands it. */
export type WireCommand =
  | { readonly type: 'audio'; readonly pcm: Int16Array }
  | { readonly type: 'mark'; readonly name: string }
  | { readonly type: 'clear' }
  | { readonly type: 'hangup' }
  /** The carrier does not take it: a code for the record, and what it answers, if anything. */
  | { readonly type: 'refused'; readonly code: string; readonly reply?: WireFrame }
  | { readonly type: 'nothing' };

/** A carrier's side of one media socket. */
export interface EmulatorWire {
  /** Marks that a clear drops are sent back, as if they had been reached. */
  readonly returnsMarksOnClear: boolean;
  start(): readonly WireFrame[];
  audio(frame: Int16Array): readonly WireFrame[];
  dtmf(digit: string): readonly WireFrame[];
  mark(name: string): readonly WireFrame[];
  stop(): readonly WireFrame[];
  receive(frame: WireFrame): WireCommand;
}

export const nothing: WireCommand = { type: 'nothing' };

export function refused(code: string, reply?: WireFrame): WireCommand {
  return { type: 'refused', code, ...(reply === undefined ? {} : { reply }) };
}
