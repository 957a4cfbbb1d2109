import type { LanguageCode } from '../../ports/knowledge.ts';
import type { IndexBlock } from '../indexing/index-block.ts';
import { SimilarTerms } from './similar-terms.ts';

/** The range of one source's passages in an index. */
interface SourceRange {
  readonly segmentId: string;
  /** Index of the source's passage number 0. */
  readonly start: number;
}

/** Weight of a word in a heading or title, relative to one in the text. */
const HEADING_WEIGHT = 2;
const CONTEXT_WEIGHT = 1;
/** Weights of postings are stored as bytes, in quarters. */
const WEIGHT_STEPS = 4;

/** An inverted index of one knowledge base's passages, in memory. Immutable. */
export class SearchIndex {
  readonly passages: number;
  /** Number of terms in all texts. */
  readonly words: number;
  /** Of each passage, the terms of its text. */
  readonly lengths: Uint16Array;
  readonly bytes: number;
  readonly #sources: readonly SourceRange[];
  readonly #byLanguage: ReadonlyMap<LanguageCode, ReadonlyMap<string, number>>;
  readonly #similar: ReadonlyMap<LanguageCode, SimilarTerms>;
  readonly #postingStarts: Uint32Array;
  readonly #postingPassages: Uint32Array;
  readonly #postingWeights: Uint8Array;
  readonly #tokenStarts: Uint32Array;
  readonly #tokens: Uint32Array;
  /** By passage: the place of its language in `languages`. */
  readonly #language: Uint8Array;
  /** By passage: number of its tokens from titles and headings, which come first. */
  readonly #headTokens: Uint16Array;

  /** @param segments the blocks of each segment, in order of their first passages */
  constructor(
    segments: readonly { readonly id: string; readonly blocks: readonly IndexBlock[] }[],
  ) {
    const blocks = segments.flatMap((segment) => segment.blocks);
    const sum = (of: (block: IndexBlock) => number) =>
      blocks.reduce((total, block) => total + of(block), 0);
    this.passages = sum((block) => block.passages);
    this.words = sum((block) => block.words);
    this.lengths = new Uint16Array(this.passages);
    this.#headTokens = new Uint16Array(this.passages);
    this.#language = new Uint8Array(this.passages);
    this.#tokenStarts = new Uint32Array(this.passages + 1);
    this.#tokens = new Uint32Array(sum((block) => block.tokens.length));
    const byLanguage = new Map<LanguageCode, Map<string, number>>();
    const contextTokens = new Uint16Array(this.passages);
    const sources: SourceRange[] = [];
    let terms = 0;
    let passage = 0;
    let token = 0;
    for (const segment of segments) {
      sources.push({ segmentId: segment.id, start: passage });
      for (const block of segment.blocks) {
        const known = byLanguage.get(block.language) ?? new Map<string, number>();
        byLanguage.set(block.language, known);
        const language = [...byLanguage.keys()].indexOf(block.language);
        const ids = Uint32Array.from(block.terms, (term) => {
          const id = known.get(term) ?? terms++;
          known.set(term, id);
          return id;
        });
        for (let i = 0; i < block.tokens.length; i++)
          this.#tokens[token + i] = ids[block.tokens[i] as number] as number;
        for (let i = 0; i < block.passages; i++, passage++) {
          const context = block.counts[3 * i] as number;
          const heading = block.counts[3 * i + 1] as number;
          const text = block.counts[3 * i + 2] as number;
          contextTokens[passage] = context;
          this.#language[passage] = language;
          this.#headTokens[passage] = context + heading;
          this.lengths[passage] = text;
          this.#tokenStarts[passage] = token;
          token += context + heading + text;
        }
      }
    }
    this.#tokenStarts[passage] = token;
    this.#sources = sources;
    this.#byLanguage = byLanguage;
    const { starts, passages, weights } = this.#invert(terms, contextTokens);
    this.#postingStarts = starts;
    this.#postingPassages = passages;
    this.#postingWeights = weights;
    this.#similar = new Map(
      [...byLanguage].map(([code, known]) => [code, new SimilarTerms(known, (id) => this.df(id))]),
    );
    this.bytes =
      4 * (this.#tokens.length + this.#tokenStarts.length + starts.length) +
      5 * passages.length +
      5 * this.passages +
      // For each term: its text in a map, and its letter pairs.
      160 * terms;
  }

  get languages(): readonly LanguageCode[] {
    return [...this.#byLanguage.keys()];
  }

  /** The language of the block that has the passage. */
  languageOf(passage: number): LanguageCode {
    return this.languages[this.#language[passage] as number] as LanguageCode;
  }

  termId(language: LanguageCode, term: string): number | undefined {
    return this.#byLanguage.get(language)?.get(term);
  }

  similar(language: LanguageCode): SimilarTerms | undefined {
    return this.#similar.get(language);
  }

  /** Number of passages that have the term. */
  df(termId: number): number {
    return (this.#postingStarts[termId + 1] as number) - (this.#postingStarts[termId] as number);
  }

  /** Calls `take` with each passage that has the term and its frequency, in which headings count more. */
  visit(termId: number, take: (passage: number, frequency: number) => void): void {
    const end = this.#postingStarts[termId + 1] as number;
    for (let at = this.#postingStarts[termId] as number; at < end; at++)
      take(
        this.#postingPassages[at] as number,
        (this.#postingWeights[at] as number) / WEIGHT_STEPS,
      );
  }

  /** The term ids of a passage: of its titles and headings, and of its text. */
  tokensOf(passage: number): { readonly head: Uint32Array; readonly text: Uint32Array } {
    const start = this.#tokenStarts[passage] as number;
    const text = start + (this.#headTokens[passage] as number);
    return {
      head: this.#tokens.subarray(start, text),
      text: this.#tokens.subarray(text, this.#tokenStarts[passage + 1] as number),
    };
  }

  /** The segment of a passage, and its number there. */
  locate(passage: number): { readonly segmentId: string; readonly number: number } {
    let low = 0;
    let high = this.#sources.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#sources[middle] as SourceRange).start <= passage) low = middle;
      else high = middle - 1;
    }
    const { segmentId, start } = this.#sources[low] as SourceRange;
    return { segmentId, number: passage - start };
  }

  #invert(terms: number, contextTokens: Uint16Array) {
    const seen = new Uint32Array(terms);
    const starts = new Uint32Array(terms + 1);
    const eachToken = (take: (term: number, passage: number, place: number) => void) => {
      for (let passage = 0; passage < this.passages; passage++) {
        const start = this.#tokenStarts[passage] as number;
        const end = this.#tokenStarts[passage + 1] as number;
        for (let at = start; at < end; at++) take(this.#tokens[at] as number, passage, at - start);
      }
    };
    eachToken((term, passage) => {
      if (seen[term] === passage + 1) return;
      seen[term] = passage + 1;
      starts[term + 1] = (starts[term + 1] as number) + 1;
    });
    for (let i = 0; i < terms; i++)
      starts[i + 1] = (starts[i + 1] as number) + (starts[i] as number);
    const passages = new Uint32Array(starts[terms] as number);
    const weights = new Uint8Array(passages.length);
    const next = starts.slice(0, terms);
    seen.fill(0);
    eachToken((term, passage, place) => {
      if (seen[term] !== passage + 1) {
        seen[term] = passage + 1;
        passages[next[term] as number] = passage;
        next[term] = (next[term] as number) + 1;
      }
      const weight =
        place >= (this.#headTokens[passage] as number)
          ? 1
          : place < (contextTokens[passage] as number)
            ? CONTEXT_WEIGHT
            : HEADING_WEIGHT;
      const at = (next[term] as number) - 1;
      weights[at] = Math.min(255, (weights[at] as number) + weight * WEIGHT_STEPS);
    });
    return { starts, passages, weights };
  }
}
