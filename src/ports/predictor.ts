export interface PredictRequest {
  /** What the caller has said in this turn, as far as it is known; may be empty. */
  readonly text: string;
  /** What the assistant was last heard to say. */
  readonly lastAssistantText: string;
  /** BCP 47 tags, most likely first. */
  readonly languages: readonly string[];
  /** The caller's most recent sound, mono PCM16 at the predictor's rate; its end is now. */
  readonly pcm: Int16Array;
  readonly signal: AbortSignal;
}

/** Judges, better than words alone allow, whether a caller who paused has finished. */
export interface TurnPredictor {
  readonly provider: string;
  readonly sampleRateHz: number;
  /** How much sound it wants to hear. */
  readonly audioMs: number;
  /** The probability that the caller goes on: 0 = surely done, 1 = surely not. */
  predict(request: PredictRequest): Promise<number>;
}
