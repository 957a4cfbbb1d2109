/** One segment of the recogniser's transcript. */
export interface Segment {
  readonly segId: string;
  readonly text: string;
  readonly final: boolean;
  /** How many words of the segment belong to an earlier turn. */
  readonly skipped: number;
}

/** A request to the external turn predictor. */
export interface Asked {
  readonly rev: number;
  readonly at: number;
  readonly text: string;
  answered: boolean;
}

/** What the caller is saying now. Times are ms since the call was created. */
export interface OpenTurn {
  readonly turn: number;
  /** Ordered by their start. */
  readonly segments: Segment[];
  readonly openedAt: number;
  speechEndAt: number;
  voicedMs: number;
  voiceStartAt: number | undefined;
  /** From the start to the end of its words, by the recogniser. */
  words: { readonly from: number; readonly to: number } | undefined;
  /** When its text last changed. */
  textAt: number | undefined;
  /** W1: the welcome message answers this turn. */
  greeted: boolean;
  /** B13: how close to the end of the reply the turn began. A reply that is `finishing` may finish. */
  readonly overlap: 'none' | 'edge' | 'finishing';
  /** B14: the committed turn that this one continues; its answer had already begun. */
  continues: CommittedTurn | undefined;
  /** D2: it was keyed or typed, so it needs no pause to be complete. */
  keyed: boolean;
  /** N1: whether a turn-aware recogniser considers the turn over; it may revise an eager judgement. */
  judged: 'open' | 'eager' | 'over';
  /** S1: drafts begun during the turn. */
  drafts: number;
  /** The last request to the external predictor, and its latest answer. */
  asked: Asked | undefined;
  predicted: number | undefined;
  /** N2: what the recogniser thinks of the end of this text: the probability that the caller goes on. */
  signalled: { readonly text: string; readonly p: number } | undefined;
  /** Backchannels given during the turn. */
  backchannels: number;
  /** B17: whether the model is to judge, or has judged, for whom its words are. */
  addressee: Addressee;
}

/** B17: for whom words over a reply are. */
export type Addressee =
  /** For the assistant, as far as anybody knows. */
  | { readonly name: 'assistant' }
  /** The words are so soft that nothing but the model's answer counts; a backchannel never asks it. */
  | { readonly name: 'soft' }
  /** The model is asked; `soft`: because the words were soft. */
  | { readonly name: 'asked'; readonly soft: boolean }
  /** The model has judged them, or nobody could. */
  | { readonly name: 'meant' }
  | { readonly name: 'others'; readonly text: string };

/** The caller's last turn; late results of the recogniser may still change its text. */
export interface CommittedTurn {
  readonly turn: number;
  readonly messageId: string;
  readonly segments: Segment[];
  readonly at: number;
  readonly speechEndAt: number;
  readonly textAt: number | undefined;
}
