/** Turns texts into vectors whose cosine says how much they have in common. */
export interface Embedder {
  readonly provider: string;
  /** Vectors of different models do not compare: what is stored carries it. */
  readonly model: string;
  /** One unit vector a text, in the texts' order. Rejects with ProviderError, or the signal's abort. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}
