/** Sentences in one language for moments when nobody else has written any. */
export interface StockLines {
  readonly apology: string;
  readonly filler: string;
  readonly notUnderstood: string;
  readonly technicalFarewell: string;
  /** Said before a caller is put through. */
  readonly transferring: string;
  /** Said once to a caller who talks while on hold. */
  readonly stopWaiting: string;
  /** Told to an operator when there is no summary, and when the caller has gone. */
  readonly callerWaiting: string;
  readonly callerLeft: string;
  /** Left on a machine when the assistant has no message of its own. */
  readonly voicemail: string;
  /** Played softly under the caller's own speech. */
  readonly backchannels: readonly string[];
  readonly idle: readonly string[];
  readonly acknowledgements: readonly string[];
}

/** Word lists of one language. Phrases are matched whole, case and punctuation aside. */
export interface LanguageData {
  /** ISO 639-1. */
  readonly tag: string;
  readonly backchannels: readonly string[];
  readonly stopPhrases: readonly string[];
  readonly fillers: readonly string[];
  readonly openEnders: readonly string[];
  /** Words for a single digit, and all number words. */
  readonly digits: readonly string[];
  readonly numbers: readonly string[];
  /** Digits of a national phone number. */
  readonly phoneDigits: number;
  readonly greetings: readonly string[];
  readonly machinePhrases: readonly string[];
  readonly holdPhrases: readonly string[];
  readonly shortAnswers: readonly string[];
  /** Openings of a yes/no question, for what the assistant asked last. */
  readonly yesNoStarts: readonly string[];
  /** Openings of questions that a recogniser may leave without its mark. */
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
    /** Words that ask: a value named without one of them is only talked about. */
    readonly asking: readonly string[];
  };
  /** Spoken "at" and "dot" of an e-mail address. */
  readonly emailAt: readonly string[];
  readonly emailDot: readonly string[];
  readonly months: readonly string[];
  readonly lines: StockLines;
}

/** A list written as one text, separated by commas. */
export function phrases(list: string): readonly string[] {
  return list.split(',').map((phrase) => phrase.trim());
}
