/** What the process with the model is asked. Audio goes as bytes of PCM16. */
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
  /** The utterance is over: its final text is wanted. `utterance` comes back with it. */
  | { readonly type: 'utterance-end'; readonly id: number; readonly utterance: number }
  | { readonly type: 'forget'; readonly id: number }
  | {
      readonly type: 'speak';
      readonly id: number;
      readonly text: string;
      readonly speaker: number;
      readonly speed: number;
    };

/** What it answers. */
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
  /** Without an id: the model itself can't be used. */
  | { readonly type: 'failed'; readonly id?: number; readonly message: string };
