import { foldedWords } from '../../lib/folded-words.ts';
import { guessLanguage, type LanguageCode } from '../language-words.ts';
import { UnreadableError } from '../reading/unreadable-error.ts';
import type { Passage } from './make-passages.ts';
import { PostingsWriter } from './postings.ts';
import { termsOf } from './terms.ts';

/** A passage as it is kept. */
export interface IndexedPassage extends Passage {
  readonly number: number;
  /** Of a page that was fetched. */
  readonly url?: string;
  readonly title?: string;
}

/** Where a term is, in a segment. */
export interface TermEntry {
  readonly term: string;
  readonly passages: number;
  readonly postings: Uint8Array;
}

export interface SegmentSummary {
  readonly language: LanguageCode;
  readonly passages: number;
  readonly words: number;
  /** What a caller may ask it: questions it answers, and headings. */
  readonly askable: readonly string[];
}

const MAX_PASSAGES = 200_000;
const LANGUAGE_SAMPLE_PASSAGES = 30;
const MAX_ASKABLE = 200;
const MAX_TERM_CHARS = 60;
/** A heading names what its passage is about: its words count as often. */
const HEADING_COUNT = 2;

/** Builds the searchable form of one source; passages are handed on as soon as the language is known. */
export class SegmentBuilder {
  readonly #terms = new Map<string, PostingsWriter>();
  readonly #askable = new Set<string>();
  #waiting: IndexedPassage[] = [];
  #language: LanguageCode | undefined;
  #passages = 0;
  #words = 0;

  /** Adds a passage, and returns those that are done. */
  add(passage: Omit<IndexedPassage, 'number'>): readonly IndexedPassage[] {
    if (this.#passages >= MAX_PASSAGES)
      throw new UnreadableError(`There is more text than ${MAX_PASSAGES} passages.`);
    this.#waiting.push({ ...passage, number: this.#passages++ });
    if (this.#language === undefined && this.#waiting.length < LANGUAGE_SAMPLE_PASSAGES) return [];
    return this.#settle();
  }

  /** The passages that still waited, and all there is to say of the whole. */
  finish(): { readonly passages: readonly IndexedPassage[]; readonly summary: SegmentSummary } {
    const passages = this.#settle();
    const summary = {
      language: this.#language ?? 'en',
      passages: this.#passages,
      words: this.#words,
      askable: [...this.#askable],
    };
    return { passages, summary };
  }

  /** After `finish`. */
  *terms(): Generator<TermEntry> {
    for (const [term, writer] of this.#terms)
      yield { term, passages: writer.passages, postings: writer.bytes() };
  }

  #settle(): readonly IndexedPassage[] {
    const passages = this.#waiting;
    this.#waiting = [];
    this.#language ??= guessLanguage(passages.flatMap(({ text }) => foldedWords(text))).code;
    for (const passage of passages) this.#index(passage, this.#language);
    return passages;
  }

  #index({ number, text, headings, title = '' }: IndexedPassage, language: LanguageCode): void {
    const counts = new Map<string, number>();
    const count = (words: readonly string[], by: number) => {
      for (const word of words) {
        const term = word.slice(0, MAX_TERM_CHARS);
        counts.set(term, (counts.get(term) ?? 0) + by);
      }
    };
    const words = termsOf(text, language);
    count(words, 1);
    count(termsOf(headings.join(' '), language), HEADING_COUNT);
    count(termsOf(title, language), 1);
    for (const [term, times] of counts) {
      const writer = this.#terms.get(term) ?? new PostingsWriter();
      this.#terms.set(term, writer);
      writer.add({ passage: number, count: times, words: words.length });
    }
    this.#words += words.length;
    this.#noteAskable(text, headings);
  }

  #noteAskable(text: string, headings: readonly string[]): void {
    if (this.#askable.size >= MAX_ASKABLE) return;
    const heading = headings.at(-1);
    if (heading !== undefined && isNormalisable(heading)) this.#askable.add(heading);
    for (const [question] of text.matchAll(/[\p{Lu}¿][^.!?\n]{6,120}\?/gu))
      if (isNormalisable(question)) this.#askable.add(question.replace(/^Q\s*:?\s+/, ''));
  }
}

function isNormalisable(phrase: string): boolean {
  const words = phrase.split(/\s+/).length;
  return words <= 14 && /^[\p{L}\p{M}\s'’?¿,&-]+$/u.test(phrase);
}
