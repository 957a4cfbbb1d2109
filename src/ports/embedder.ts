/** Turns texts into vectors; the cosine of two vectors measures the similarity of their texts. */
export interface Embedder {
  readonly provider: string;
  /** Stored with each vector, because vectors of different models are not comparable. */
  readonly model: string;
  /** One unit vector a text, in the texts' order. Rejects with ProviderError, or the signal's abort. */
  embed(
    texts: readonly string[],
    signal: AbortSignal,
    /** Some models tell them apart. @defaultValue passage */
    kind?: 'question' | 'passage',
  ): Promise<readonly Float32Array[]>;
}
