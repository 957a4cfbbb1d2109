/** VAD of one caller. Probabilities arrive in order, possibly later than their frame (batched, on another thread). */
export interface VadStream {
  /** One 20 ms frame of mono PCM16 at the rate of `open`. The buffer may be reused after the call returns. */
  write(frame: Int16Array): void;
  /**
   * Level in dB relative to full scale below which a frame cannot contain speech. Undefined while speech is detected
   * or probabilities are pending: any frame may count then.
   */
  readonly quietBelowDb?: number | undefined;
  /**
   * Length of the audio that completes no VAD window and may be held back without delaying a decision, ms.
   * @defaultValue 0
   */
  readonly undecidedMs?: number;
  close(): void;
}

export interface Vad {
  readonly sampleRateHz: number;
  /** Speech needed to report a start, ms: the lower, the more noises are mistaken for speech. @defaultValue 60 */
  readonly startMs?: number;
  /** `onFrame` gets the probability of speech, 0…1, for frame `index` (counted from 0). */
  open(onFrame: (probability: number, index: number) => void): VadStream;
}
