/** Windows to run through the network; those of one stream are in order. */
export interface WindowBatch {
  /** The stream of each window. */
  readonly streams: Int32Array;
  /** The concatenated windows, each preceded by its context. */
  readonly samples: Int16Array;
  /** Streams that have ended. */
  readonly ended: readonly number[];
}

/** `ready` reports that the network is loaded; every later reply answers one batch. */
export type VadReply =
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly error: string }
  | { readonly type: 'judged'; readonly probabilities: Float32Array };

/** The network's rate, and its window and context at that rate. */
export const VAD_RATE_HZ = 8000;
export const WINDOW_SAMPLES = 256;
export const CONTEXT_SAMPLES = 32;
