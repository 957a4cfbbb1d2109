/** Sentences for moments for which neither the assistant nor the model provides any. */
export interface StockLines {
  readonly apology: string;
  readonly filler: string;
  readonly notUnderstood: string;
  readonly technicalFarewell: string;
  /** Said before a caller is put through. */
  readonly transferring: string;
  /** Said once to a caller who talks while on hold. */
  readonly stopWaiting: string;
  /** Told to an operator if there is no summary, and if the caller has hung up. */
  readonly callerWaiting: string;
  readonly callerLeft: string;
  /** Left on an answering machine. */
  readonly voicemail: string;
  /** Played softly under the caller's own speech. */
  readonly backchannels: readonly string[];
  readonly idle: readonly string[];
  readonly acknowledgements: readonly string[];
}

/** Word lists of one language. Phrases match as whole words, without regard to case and punctuation. */
export interface LanguageData {
  /** ISO 639-1. */
  readonly tag: string;
  readonly backchannels: readonly string[];
  readonly stopPhrases: readonly string[];
  /** Words that refuse, contradict or ask for something else, by which a short remark over a reply is none. */
  readonly refusals: readonly string[];
  /** Beginnings of words, in any inflection, that ask to stop, wait or listen. */
  readonly stopStems: readonly string[];
  /** Sounds and words by which a speaker asks for time. */
  readonly hesitations: readonly string[];
  /** Discourse markers: they bridge a pause too, but may also end a sentence ("I think so"). */
  readonly markers: readonly string[];
  /** By which a speaker asks for time or takes words back: "let me see", "no, sorry". */
  readonly timeouts: readonly string[];
  readonly openEnders: readonly string[];
  /** Of these, the ones that also end sentences: "turn it on", "who is that". */
  readonly mayClose: readonly string[];
  /** Words for a single digit, and all number words. */
  readonly digits: readonly string[];
  readonly numbers: readonly string[];
  /** Digits of a national phone number. */
  readonly phoneDigits: number;
  readonly greetings: readonly string[];
  readonly machinePhrases: readonly string[];
  readonly holdPhrases: readonly string[];
  readonly shortAnswers: readonly string[];
  /** Openings of a yes/no question of the assistant. */
  readonly yesNoStarts: readonly string[];
  /** Openings of questions, for recognisers that omit question marks. */
  readonly questionStarts: readonly string[];
  /** Words by which the assistant asks for a value to be dictated, by kind of value. */
  readonly dictation: {
    readonly phone: readonly string[];
    readonly card: readonly string[];
    readonly code: readonly string[];
    readonly email: readonly string[];
    /** A date with its year. */
    readonly birth: readonly string[];
    readonly date: readonly string[];
    readonly spelling: readonly string[];
    /** Words that ask for a value; without one of them, a value is only mentioned. */
    readonly asking: readonly string[];
  };
  /** By which callers announce a number of their own: "call me back on". */
  readonly announcing: readonly string[];
  /** Spoken "at" and "dot" of an e-mail address. */
  readonly emailAt: readonly string[];
  readonly emailDot: readonly string[];
  readonly months: readonly string[];
  /** Said when the assistant is back after a gap. */
  readonly takenOver: string;
  readonly lines: StockLines;
}

/** A list written as one text, separated by commas. */
export function phrases(list: string): readonly string[] {
  return list.split(',').map((phrase) => phrase.trim());
}
