/** Limits and timeouts of one client of the web media socket. */
export interface WebLimits {
  /** From the opening of the socket to a valid `start`. @defaultValue 5000 */
  readonly startMs: number;
  /** Opening the call for a valid token. @defaultValue 10000 */
  readonly redeemMs: number;
  /** Audio that may arrive ahead of real time. @defaultValue 2000 */
  readonly maxLeadMs: number;
  /** Audio that a stalled connection may deliver at once. @defaultValue 10000 */
  readonly catchUpMs: number;
  /** How often a client reports its playback statistics. @defaultValue 5000 */
  readonly statsEveryMs: number;
  /** Frames of any kind per second, sustained. @defaultValue 200 */
  readonly maxFramesPerSecond: number;
  /** @defaultValue 3000 */
  readonly pingEveryMs: number;
  /** After this time without a frame or pong the socket counts as lost. @defaultValue 9000 */
  readonly silentMs: number;
  /** Unsent bytes at which the client counts as not reading: some seconds of audio at any rate. @defaultValue 512 KiB */
  readonly maxBufferedBytes: number;
  /** Time for a lost socket to resume. @defaultValue 15000 */
  readonly resumeMs: number;
  /** Time for the client to answer a close, and for the session to answer a hangup. @defaultValue 3000 */
  readonly closeMs: number;
}

export const webLimitDefaults = {
  startMs: 5000,
  redeemMs: 10_000,
  maxLeadMs: 2000,
  catchUpMs: 10_000,
  statsEveryMs: 5000,
  maxFramesPerSecond: 200,
  pingEveryMs: 3000,
  silentMs: 9000,
  maxBufferedBytes: 512 * 1024,
  resumeMs: 15_000,
  closeMs: 3000,
} as const satisfies WebLimits;
