/** What the thread of the turn model is started with. */
export interface TurnModelData {
  /** Folder of the operator. */
  readonly dir: string;
  readonly threads: number;
}

/** The last seconds of a caller, mono PCM16 at 16 kHz. */
export interface JudgeRequest {
  readonly id: number;
  readonly pcm: Int16Array;
}

/** `ready` once, or `failed` without an id when the model cannot be used; then one reply for each request. */
export type TurnModelReply =
  | { readonly type: 'ready'; readonly runtime: string }
  /** The probability that the turn is over. */
  | { readonly type: 'judged'; readonly id: number; readonly over: number }
  | { readonly type: 'failed'; readonly id?: number; readonly message: string };
