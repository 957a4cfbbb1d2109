/** The languages with a stemmer, as ISO 639-1 codes. */
export type LanguageCode =
  | 'ar'
  | 'ca'
  | 'cs'
  | 'da'
  | 'de'
  | 'en'
  | 'es'
  | 'eu'
  | 'fi'
  | 'fr'
  | 'hu'
  | 'hy'
  | 'it'
  | 'nl'
  | 'no'
  | 'pt'
  | 'ro'
  | 'ru'
  | 'sl'
  | 'sv'
  | 'ta'
  | 'tr';

/** A part of a document that can answer a question without its context. */
export interface Passage {
  readonly text: string;
  /** The headings above it, highest first. */
  readonly headings: readonly string[];
  readonly page?: number;
}

/** A stored passage. */
export interface IndexedPassage extends Passage {
  readonly number: number;
  /** URL of the fetched page. */
  readonly url?: string;
  readonly title?: string;
}

/** The searchable fields of a passage. */
export interface SearchablePassage {
  readonly number: number;
  readonly text: string;
  /** Highest first. */
  readonly headings: readonly string[];
  /** Title of the document. */
  readonly title?: string;
}

export interface SegmentSummary {
  /** The language of most passages. */
  readonly language: LanguageCode;
  readonly passages: number;
  readonly words: number;
  /** Questions that callers may ask: those it answers, and its headings. */
  readonly askable: readonly string[];
  /** Names and terms that it is about, those that occur most first. */
  readonly terms: readonly string[];
}
