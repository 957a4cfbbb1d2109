import type { LetterToSound } from './letter-to-sound.ts';

/** The recogniser's data for one language; an assistant adds its phrases. */
export interface Language {
  /** Primary subtag of BCP 47. */
  readonly tag: string;
  /** Folder of the acoustic model and dictionary within soundswallower's `model/`. */
  readonly model: string;
  /** All phones of the model except silence and noise. */
  readonly phones: readonly string[];
  readonly letterToSound: LetterToSound;
  /** Pronunciations that the dictionary lacks. */
  readonly alsoSpoken: ReadonlyMap<string, readonly string[]>;
  /** Recognised before any utterance, but not written. */
  readonly hesitations: readonly string[];
  /** Greetings, fillers and asks are spoken before a question, each kind at most once and in this order. */
  readonly greetings: readonly string[];
  readonly fillers: readonly string[];
  readonly asks: readonly string[];
  /** The asks that take no comma after them. */
  readonly runningOn: ReadonlySet<string>;
  /** Questions of any form about a topic: what is said before its article, with how often it is, relative to the others. */
  readonly beforeTopic: ReadonlyMap<string, number>;
  readonly articles: readonly string[];
  /** What ends such a question: "how much does … cost". */
  readonly afterTopic: readonly string[];
  /** Spoken after a question. */
  readonly closings: readonly string[];
  /** General phrases, independent of the assistant; written with their punctuation. */
  readonly sayings: readonly string[];
  /** Equivalent forms: `what is` and `what's`. */
  readonly contractions: ReadonlyMap<string, string>;
  /** Words that lose their capital inside a sentence. */
  readonly lowerable: ReadonlySet<string>;
  /** Words that begin a question, for phrases written without punctuation. */
  readonly interrogatives: ReadonlySet<string>;
  /** Spoken digits and their written form. */
  readonly digits: ReadonlyMap<string, string>;
  /** Other words used in numbers. */
  readonly numberWords: readonly string[];
  /** Signs that are spoken. */
  readonly signs: ReadonlyMap<string, string>;
  /** A whole number in words. */
  spellNumber(value: number): string;
}
