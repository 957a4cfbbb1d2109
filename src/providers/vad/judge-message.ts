/** Windows to be judged: those of one stream stand in their order. */
export interface WindowBatch {
  /** The stream of each window. */
  readonly streams: Int32Array;
  /** The windows, one after the other, each with its context. */
  readonly samples: Int16Array;
  /** Streams that will not come back. */
  readonly ended: readonly number[];
}

/** The first one says that the network is there; the others answer a batch each. */
export type JudgeReply =
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly error: string }
  | { readonly type: 'judged'; readonly probabilities: Float32Array };

/** The network's rate, and its window and context at that rate. */
export const JUDGE_RATE_HZ = 8000;
export const WINDOW_SAMPLES = 256;
export const CONTEXT_SAMPLES = 32;
