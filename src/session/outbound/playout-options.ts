/** Pacing of what is sent to the caller. */
export interface PlayoutOptions {
  /** How far ahead of real time audio may be sent. @defaultValue 180 */
  readonly leadMs: number;
  /** Sent again when the lead has shrunk to this. @defaultValue 80 */
  readonly refillMs: number;
  /** The same while nothing is said: what is there delays the next word. @defaultValue 60 */
  readonly pauseLeadMs: number;
  /** Latest a hold waits for a word to end. @defaultValue 40 */
  readonly wordEndMs: number;
  /** Wait for the far end's answer to a clear. @defaultValue 150 */
  readonly clearedMs: number;
}

export const playoutDefaults = {
  leadMs: 180,
  refillMs: 80,
  pauseLeadMs: 60,
  wordEndMs: 40,
  clearedMs: 150,
} as const satisfies PlayoutOptions;
