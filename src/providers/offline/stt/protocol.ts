/** What the adapter tells a recogniser thread. Audio is mono PCM16 at 8 kHz. */
export type ToWorker =
  | {
      readonly type: 'open';
      readonly streamId: number;
      /** Tag of a language that the recogniser knows. */
      readonly language: string;
      readonly phrases: readonly string[];
      readonly hints: readonly string[];
    }
  /** Speech begins; `startMs` is where on the stream the audio that follows begins. */
  | {
      readonly type: 'start';
      readonly streamId: number;
      readonly segmentId: string;
      readonly startMs: number;
    }
  | { readonly type: 'audio'; readonly streamId: number; readonly pcm: Int16Array }
  /** The speech paused: a final is due at once. */
  | { readonly type: 'end'; readonly streamId: number }
  | { readonly type: 'close'; readonly streamId: number };

/** What a recogniser thread tells the adapter. */
export type FromWorker =
  | {
      readonly type: 'opened';
      readonly streamId: number;
      readonly unknownWords: readonly string[];
      readonly droppedPhrases: number;
    }
  | { readonly type: 'failed'; readonly streamId: number; readonly message: string }
  /** So much of the audio is heard: more may be sent. */
  | { readonly type: 'consumed'; readonly streamId: number; readonly samples: number }
  | ({
      readonly type: 'interim' | 'final';
      readonly streamId: number;
      readonly segmentId: string;
    } & Heard);

/** What was understood of a segment; times are on the stream. */
export interface Heard {
  /** Empty when there were no words that the recogniser knows. */
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly confidence: number;
}

/** The rate of all audio here. */
export const RECOGNISER_RATE_HZ = 8000;
