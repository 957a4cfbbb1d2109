/** What one media socket of a carrier may do, and how long it is waited for. */
export interface CarrierLimits {
  /** From the open socket to the start of the stream. @defaultValue 5000 */
  readonly startMs: number;
  /** Opening the call behind a valid token. @defaultValue 10000 */
  readonly redeemMs: number;
  /** Without any frame for so long the socket is dead, or asked by a ping whether it is. @defaultValue 5000 */
  readonly silentMs: number;
  /** For the answer to a ping. @defaultValue 3000 */
  readonly pongMs: number;
  /** Frames of any kind per second, sustained. @defaultValue 200 */
  readonly maxFramesPerSecond: number;
  /** A stalled network may deliver so many frames at once. @defaultValue 1000 */
  readonly burstFrames: number;
  /** Unsent bytes at which the carrier counts as not reading. @defaultValue 256 KiB */
  readonly maxBufferedBytes: number;
  /** The carrier's time to answer a close. @defaultValue 3000 */
  readonly closeMs: number;
}

export const carrierLimitDefaults = {
  startMs: 5000,
  redeemMs: 10_000,
  silentMs: 5000,
  pongMs: 3000,
  maxFramesPerSecond: 200,
  burstFrames: 1000,
  maxBufferedBytes: 256 * 1024,
  closeMs: 3000,
} as const satisfies CarrierLimits;
