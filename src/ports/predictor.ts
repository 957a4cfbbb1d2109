export interface PredictRequest {
  /** The caller's open turn so far, final and interim text. */
  readonly text: string;
  readonly language?: string;
  /** What the assistant was last heard to say. */
  readonly lastAssistantText: string;
  readonly signal: AbortSignal;
}

/** Says how likely it is that the caller has not finished: 0 = surely done, 1 = surely not. */
export interface Predictor {
  supports(language: string): boolean;
  predict(request: PredictRequest): Promise<number>;
}
