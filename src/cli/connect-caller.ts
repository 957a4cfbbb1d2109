import type { Caller } from '../testing/spoken/caller.ts';
import type { ServerFrame } from './server-frame.ts';

/** Connects the caller; `onFrame` gets every event of the call, with its time on the caller's clock. */
export type ConnectCaller = (
  onFrame: (frame: ServerFrame, atMs: number) => void,
) => Promise<Caller>;
