export interface PredictRequest {
  /** What the caller has said in this turn, as far as it is known; may be empty. */
  readonly text: string;
  /** The last words of the assistant that were played. */
  readonly lastAssistantText: string;
  /** BCP 47 tags, most likely first. */
  readonly languages: readonly string[];
  /** The caller's most recent audio, mono PCM16 at the predictor's rate, ending now. The predictor may keep it. */
  readonly pcm: Int16Array;
  /** Aborted when an answer is of no use any more; with a TimeoutError if it comes too late. */
  readonly signal: AbortSignal;
}

/** Predicts from audio and text, better than from words alone, whether a caller who paused has finished the turn. */
export interface TurnPredictor {
  readonly provider: string;
  readonly sampleRateHz: number;
  /** Audio that a prediction needs, ms. */
  readonly audioMs: number;
  /**
   * The probability that the caller goes on: 0 = surely done, 1 = surely not. Undefined if there is none in time; a
   * predictor reports that by itself.
   */
  predict(request: PredictRequest): Promise<number | undefined>;
}
