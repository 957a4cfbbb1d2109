/** A stretch of voice of about 200 ms: since when, in ms since the call was created, and how loud, dBFS. */
export interface LevelSpan {
  readonly sinceAt: number;
  readonly db: number;
}

/** What voice activity hears, whoever speaks. Without levels every voice is the caller's. */
export interface HeardVoice {
  /** Since when a voice is heard; undefined while none is. */
  activeSince: number | undefined;
  /** L1: the voice that is heard now is the caller's. */
  near: boolean;
  /** C10: when something last might have become a voice. */
  maybeAt: number;
  /** When the caller's voice last began and last ended. */
  onsetAt: number;
  endAt: number;
  /** The last seconds of voice, oldest first. */
  levels: readonly LevelSpan[];
  /** L2: how loud the caller speaks, learnt from words. */
  callerDb: number | undefined;
  /** L3: how loud a voice is that goes on without words of the caller's, and when it was last heard. */
  background: { readonly db: number; readonly at: number } | undefined;
  /** L3: how loud the voice is that is heard now and has gone on without words. */
  wordlessDb: number | undefined;
  /** When words of the caller last came. */
  wordsAt: number;
  /** The recogniser gives interim words, so that their absence means something. */
  interims: boolean;
  /** L4: words in a row that were taken for somebody else's. */
  ignored: number;
}
