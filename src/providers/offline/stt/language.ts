import type { LetterToSound } from './letter-to-sound.ts';

/** What the recogniser knows of one language besides what an assistant adds. */
export interface Language {
  /** Primary subtag of BCP 47. */
  readonly tag: string;
  /** Folder of the acoustic model and dictionary within soundswallower's `model/`. */
  readonly model: string;
  /** All phones of the model but silence and noises. */
  readonly phones: readonly string[];
  readonly letterToSound: LetterToSound;
  /** Said before a question, each kind at most once and in this order. */
  /** Heard before anything, and not written. */
  readonly hesitations: readonly string[];
  readonly greetings: readonly string[];
  readonly fillers: readonly string[];
  readonly asks: readonly string[];
  /** Those of the asks that have no comma after them. */
  readonly runningOn: ReadonlySet<string>;
  /** Said after a question. */
  readonly closings: readonly string[];
  /** Whole things to say, whatever the assistant is about; written with their punctuation. */
  readonly sayings: readonly string[];
  /** Spoken the same at the caller's choice: `what is` and `what's`. */
  readonly contractions: ReadonlyMap<string, string>;
  /** Words that lose their capital inside a sentence. */
  readonly lowerable: ReadonlySet<string>;
  /** Words that begin a question, for a phrase written without punctuation. */
  readonly interrogatives: ReadonlySet<string>;
  /** Spoken digits and what they are written as. */
  readonly digits: ReadonlyMap<string, string>;
  /** Further words that numbers are made of. */
  readonly numberWords: readonly string[];
  /** Signs that are spoken. */
  readonly signs: ReadonlyMap<string, string>;
  /** A whole number in words. */
  spellNumber(value: number): string;
}
