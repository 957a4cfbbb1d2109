/** The languages whose endings we know, as ISO 639-1 codes. */
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

/** A part of a document that can answer by itself. */
export interface Passage {
  readonly text: string;
  /** The headings it stands under, highest first. */
  readonly headings: readonly string[];
  readonly page?: number;
}

/** A passage as it is kept. */
export interface IndexedPassage extends Passage {
  readonly number: number;
  /** Of a page that was fetched. */
  readonly url?: string;
  readonly title?: string;
}

/** What of a passage can be searched. */
export interface SearchablePassage {
  readonly number: number;
  readonly text: string;
  /** Highest first. */
  readonly headings: readonly string[];
  /** Of the document. */
  readonly title?: string;
}

export interface SegmentSummary {
  /** That most of its passages are in. */
  readonly language: LanguageCode;
  readonly passages: number;
  readonly words: number;
  /** What a caller may ask it: questions it answers, and headings. */
  readonly askable: readonly string[];
}
