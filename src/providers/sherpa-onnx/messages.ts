/** Requests to the model process. Audio is sent as bytes of PCM16. */
export type ModelRequest =
  | { readonly type: 'load-recogniser'; readonly dir: string; readonly threads: number }
  | { readonly type: 'load-voice'; readonly dir: string; readonly threads: number }
  | {
      readonly type: 'hear';
      readonly id: number;
      readonly sampleRateHz: number;
      readonly hints: readonly string[];
      readonly language: string;
    }
  | { readonly type: 'audio'; readonly id: number; readonly pcm: Int16Array }
  /** The utterance is over and needs its final text. The reply repeats `utterance`. */
  | { readonly type: 'utterance-end'; readonly id: number; readonly utterance: number }
  | { readonly type: 'forget'; readonly id: number }
  | {
      readonly type: 'speak';
      readonly id: number;
      readonly text: string;
      readonly speaker: number;
      readonly speed: number;
    };

/** Replies of the model process. */
export type ModelReply =
  | { readonly type: 'ready'; readonly streaming?: boolean }
  | { readonly type: 'interim'; readonly id: number; readonly text: string }
  | {
      readonly type: 'final';
      readonly id: number;
      readonly utterance: number;
      readonly text: string;
    }
  | {
      readonly type: 'spoken';
      readonly id: number;
      readonly pcm: Int16Array;
      readonly sampleRateHz: number;
    }
  | { readonly type: 'spoken-end'; readonly id: number }
  /** Without an id: the model itself cannot be used. */
  | { readonly type: 'failed'; readonly id?: number; readonly message: string };
