/** Limits and timeouts of one carrier media socket. */
export interface CarrierLimits {
  /** From the opening of the socket to the start of the stream. @defaultValue 5000 */
  readonly startMs: number;
  /** Opening the call for a valid token. @defaultValue 10000 */
  readonly redeemMs: number;
  /** After this time without any frame the socket counts as dead, or is pinged first. @defaultValue 5000 */
  readonly silentMs: number;
  /** Time allowed to answer a ping. @defaultValue 3000 */
  readonly pongMs: number;
  /** Frames of any kind per second, sustained. @defaultValue 200 */
  readonly maxFramesPerSecond: number;
  /** Frames that a stalled network may deliver at once. @defaultValue 1000 */
  readonly burstFrames: number;
  /** Unsent bytes at which the carrier counts as not reading. @defaultValue 256 KiB */
  readonly maxBufferedBytes: number;
  /** Time for the carrier to answer a close. @defaultValue 3000 */
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
