import type { WireFrame } from '../../ports/carrier-media.ts';

/** A message of the service on a media socket, as its carrier reads it. */
export type WireCommand =
  | { readonly type: 'audio'; readonly pcm: Int16Array }
  | { readonly type: 'mark'; readonly name: string }
  | { readonly type: 'clear' }
  | { readonly type: 'hangup' }
  /** The carrier refuses the message; `reply` is its answer, if any. */
  | { readonly type: 'refused'; readonly code: string; readonly reply?: WireFrame }
  | { readonly type: 'nothing' };

/** A carrier's side of one media socket. */
export interface EmulatorWire {
  /** True if marks dropped by a clear are echoed as if reached. */
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
