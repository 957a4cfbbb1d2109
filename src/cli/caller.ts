import type { Track } from '../audio/track.ts';
import type { ServerFrame } from './server-frame.ts';

/** How a caller's connection ended. */
export interface CallerEnd {
  /** Of the web socket; undefined on the phone. */
  readonly closeCode?: number;
  /** Of the service, or the carrier; undefined when the connection broke. */
  readonly reason?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/** The far end of a call as a person has it, on the web or on the phone. */
export interface Caller {
  readonly callId: string;
  /** Resolves when the connection is closed, by either side. */
  readonly ended: Promise<CallerEnd>;
  /** Now, on the sample clock of the recording. */
  readonly elapsedMs: number;
  /** Of the recording. */
  readonly sampleRateHz: number;
  /** What was said and what was heard, on one clock. */
  readonly tracks: { readonly microphone: Track; readonly speaker: Track };
  /** Says this after whatever is still being said. */
  say(pcm: Int16Array): { readonly fromMs: number; readonly spoken: Promise<void> };
  hangup(): void;
  close(): void;
}

/** Gets into the call; `onFrame` is told what the call shows, at its instant on the caller's clock. */
export type ConnectCaller = (
  onFrame: (frame: ServerFrame, atMs: number) => void,
) => Promise<Caller>;
