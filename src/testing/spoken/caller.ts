import type { Track } from '../../audio/track.ts';

/** How a caller's connection ended. */
export interface CallerEnd {
  /** Close code of the web socket; undefined on the phone. */
  readonly closeCode?: number;
  /** Reason given by the service or the carrier; undefined if the connection broke. */
  readonly reason?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/** The caller's side of a call, on the web or on the phone. */
export interface Caller {
  readonly callId: string;
  /** Resolves when either side has closed the connection. */
  readonly ended: Promise<CallerEnd>;
  /** Current time on the sample clock of the recording. */
  readonly elapsedMs: number;
  /** Sample rate of the recording. */
  readonly sampleRateHz: number;
  /** Both directions of the call, on one clock. */
  readonly tracks: { readonly microphone: Track; readonly speaker: Track };
  /** Speaks after anything still being spoken; `fromMs` is on the recording's clock. */
  say(pcm: Int16Array): { readonly fromMs: number; readonly spoken: Promise<void> };
  hangup(): void;
  close(): void;
}
