/** A stretch of recognised speech, as far as its text is known. */
export interface Segment {
  readonly segId: string;
  readonly text: string;
  readonly final: boolean;
  /** Words before it, of the same stretch, that an earlier turn has. */
  readonly skipped: number;
}

/** A question to the predictor outside. */
export interface Asked {
  readonly rev: number;
  readonly at: number;
  readonly text: string;
  answered: boolean;
}

/** What the caller is saying now. Times are ms since the call was created. */
export interface OpenTurn {
  readonly turn: number;
  /** In the order in which they began. */
  readonly segments: Segment[];
  readonly openedAt: number;
  speechEndAt: number;
  voicedMs: number;
  voiceStartAt: number | undefined;
  /** Last change of its text. */
  textAt: number | undefined;
  /** W1: the welcome is its answer. */
  greeted: boolean;
  /** B13: how near it began to the end of the reply; a reply that is `finishing` is let finish. */
  readonly overlap: 'none' | 'edge' | 'finishing';
  /** B14: it goes on with this turn, to which an answer had begun. */
  continues: CommittedTurn | undefined;
  /** D2: it ends with keys, which need no pause. */
  keyed: boolean;
  /** N1: what a turn-aware recogniser says of its end; an eager judgement may be taken back. */
  judged: 'open' | 'eager' | 'over';
  /** Answers begun before it was over (S1). */
  drafts: number;
  /** What was last asked of a predictor outside, and its latest answer. */
  asked: Asked | undefined;
  predicted: number | undefined;
  /** Backchannels given in it. */
  backchannels: number;
}

/** What the caller last said, and what may still be changed of it. */
export interface CommittedTurn {
  readonly turn: number;
  readonly messageId: string;
  readonly segments: Segment[];
  readonly at: number;
  readonly speechEndAt: number;
  readonly textAt: number | undefined;
}
