/** Judges frames of one caller. Probabilities may come later than the frame (batched, off the main loop), in order. */
export interface VadStream {
  /** One 20 ms frame of mono PCM16 at the rate of `open`. The buffer may be reused after the call returns. */
  write(frame: Int16Array): void;
  /**
   * While nothing is being judged: what is quieter than this, dB relative to full scale, will not be taken for a
   * voice. Undefined: any frame may be.
   */
  readonly quietBelowDb?: number | undefined;
  /** Audio that may come now before anything can be judged by it, ms. @defaultValue 0 */
  readonly undecidedMs?: number;
  close(): void;
}

export interface Vad {
  readonly sampleRateHz: number;
  /** Voice that makes a start, ms: the less the fewer noises fool the judge. @defaultValue 60 */
  readonly startMs?: number;
  /** `onFrame` gets the probability of speech, 0…1, for frame `index` (counted from 0). */
  open(onFrame: (probability: number, index: number) => void): VadStream;
}
