/** Messages from the adapter to a recogniser thread. Audio is mono PCM16 at 8 kHz. */
export type ToWorker =
  | {
      readonly type: 'open';
      readonly streamId: number;
      /** Tag of a supported language. */
      readonly language: string;
      readonly phrases: readonly string[];
      readonly topics: readonly string[];
      readonly hints: readonly string[];
      /** Its decoder is lent to no other stream. */
      readonly ownDecoder: boolean;
    }
  /** Speech begins; `startMs` is the position of the following audio on the stream. */
  | {
      readonly type: 'start';
      readonly streamId: number;
      readonly segmentId: string;
      readonly startMs: number;
    }
  | { readonly type: 'audio'; readonly streamId: number; readonly pcm: Int16Array }
  /** The speech paused: the final must follow at once. */
  | { readonly type: 'end'; readonly streamId: number }
  | { readonly type: 'close'; readonly streamId: number };

/** Messages from a recogniser thread to the adapter. */
export type FromWorker =
  | {
      readonly type: 'opened';
      readonly streamId: number;
      readonly unknownWords: readonly string[];
      readonly droppedPhrases: number;
    }
  | { readonly type: 'failed'; readonly streamId: number; readonly message: string }
  /** This much audio has been processed: more may be sent. */
  | { readonly type: 'consumed'; readonly streamId: number; readonly samples: number }
  | ({
      readonly type: 'interim' | 'final';
      readonly streamId: number;
      readonly segmentId: string;
    } & Heard);

/** The recognition result of a segment; times are positions on the stream. */
export interface Heard {
  /** Empty when no known words were recognised. */
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly confidence: number;
}

/** The rate of all audio in this folder. */
export const RECOGNISER_RATE_HZ = 8000;
