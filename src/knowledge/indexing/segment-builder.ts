import type {
  IndexedPassage,
  LanguageCode,
  Passage,
  SegmentSummary,
} from '../../ports/knowledge.ts';
import { UnreadableError } from '../reading/unreadable-error.ts';
import { buildIndexBlock, serializeIndexBlock } from './index-block.ts';
import { TermCounter } from './term-counter.ts';

/** Successive passages with their block of the index. */
export interface IndexedPassages {
  readonly passages: readonly IndexedPassage[];
  readonly block: Uint8Array;
}

const MAX_PASSAGES = 200_000;
/** Large enough to detect the language with certainty, small enough to be stored at once. */
export const BLOCK_PASSAGES = 250;
const MAX_ASKABLE = 200;
const MAX_TERMS = 100;

/** Builds the searchable form of one source, block by block. */
export class SegmentBuilder {
  readonly #askable = new Set<string>();
  readonly #terms = new TermCounter();
  readonly #languages = new Map<LanguageCode, number>();
  #waiting: IndexedPassage[] = [];
  #passages = 0;
  #words = 0;

  /** Adds a passage, and returns a block when one is full. */
  add(passage: Omit<IndexedPassage, 'number'>): IndexedPassages | undefined {
    if (this.#passages >= MAX_PASSAGES)
      throw new UnreadableError(`The text has more than ${MAX_PASSAGES} passages.`);
    this.#waiting.push({ ...passage, number: this.#passages++ });
    this.#noteAskable(passage);
    return this.#waiting.length < BLOCK_PASSAGES ? undefined : this.#settle();
  }

  /** The last, incomplete block and the summary of the source. */
  finish(): { readonly last: IndexedPassages | undefined; readonly summary: SegmentSummary } {
    const last = this.#waiting.length > 0 ? this.#settle() : undefined;
    const [language = 'en'] = [...this.#languages].sort((a, b) => b[1] - a[1])[0] ?? [];
    const summary = {
      language,
      passages: this.#passages,
      words: this.#words,
      askable: [...this.#askable],
      terms: this.#terms.top(MAX_TERMS),
    };
    return { last, summary };
  }

  #settle(): IndexedPassages {
    const passages = this.#waiting;
    this.#waiting = [];
    const block = buildIndexBlock(passages);
    const { language, words } = block;
    for (const { text } of passages) this.#terms.add(text, language);
    this.#languages.set(language, (this.#languages.get(language) ?? 0) + passages.length);
    this.#words += words;
    return { passages, block: serializeIndexBlock(block) };
  }

  #noteAskable({ text, headings }: Passage): void {
    if (this.#askable.size >= MAX_ASKABLE) return;
    const heading = headings.at(-1);
    if (heading !== undefined && isSpeakable(heading)) this.#askable.add(heading);
    for (const [question] of text.matchAll(/[\p{Lu}¿][^.!?\n]{6,120}\?/gu))
      if (isSpeakable(question)) this.#askable.add(question.replace(/^Q\s*:?\s+/, ''));
  }
}

function isSpeakable(phrase: string): boolean {
  const words = phrase.split(/\s+/).length;
  return words <= 14 && /^[\p{L}\p{M}\s'’?¿,&-]+$/u.test(phrase);
}
