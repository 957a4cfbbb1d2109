/** What one client of the web media socket may do, and how long it is waited for. */
export interface WebLimits {
  /** From the open socket to a valid `start`. @defaultValue 5000 */
  readonly startMs: number;
  /** Opening the call behind a valid token. @defaultValue 10000 */
  readonly redeemMs: number;
  /** Audio that may be ahead of real time. @defaultValue 2000 */
  readonly maxLeadMs: number;
  /** A stalled connection may catch up this much at once. @defaultValue 10000 */
  readonly catchUpMs: number;
  /** How often a client tells what was heard. @defaultValue 5000 */
  readonly statsEveryMs: number;
  /** Frames of any kind per second, sustained. @defaultValue 200 */
  readonly maxFramesPerSecond: number;
  /** @defaultValue 3000 */
  readonly pingEveryMs: number;
  /** No frame and no pong for so long: the socket is lost. @defaultValue 9000 */
  readonly silentMs: number;
  /** Unsent bytes at which the client counts as not reading: some seconds of audio at any rate. @defaultValue 512 KiB */
  readonly maxBufferedBytes: number;
  /** A lost socket may come back so long. @defaultValue 15000 */
  readonly resumeMs: number;
  /** The client's time to answer a close, and the session's to answer a hangup. @defaultValue 3000 */
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
