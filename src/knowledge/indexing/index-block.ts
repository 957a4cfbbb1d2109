import type { LanguageCode, SearchablePassage } from '../../ports/knowledge.ts';
import { documentLanguage } from '../language/detect-language.ts';
import { termsOf } from '../language/stems.ts';

/** The terms of successive passages of one source, in their order. */
export interface IndexBlock {
  readonly language: LanguageCode;
  /** The number of the first passage. */
  readonly first: number;
  readonly passages: number;
  /** Number of terms in all texts. */
  readonly words: number;
  readonly terms: readonly string[];
  /** Three numbers for each passage: tokens of title and upper headings, of its own heading, of its text. */
  readonly counts: Uint32Array;
  /** Indexes into `terms`, passage by passage, in the order of `counts`. */
  readonly tokens: Uint32Array;
}

const MAX_TERM_CHARS = 60;
const MAX_TERMS_PASSAGE = 2_000;

/** Indexes successive passages of one source. */
export function buildIndexBlock(passages: readonly SearchablePassage[]): IndexBlock {
  const language = documentLanguage(passages.map(({ text }) => text).join('\n'));
  const places = new Map<string, number>();
  const counts: number[] = [];
  const tokens: number[] = [];
  let words = 0;
  const add = (text: string): number => {
    const terms = termsOf(text, language);
    if (terms.length > MAX_TERMS_PASSAGE) terms.length = MAX_TERMS_PASSAGE;
    for (const whole of terms) {
      const term = whole.slice(0, MAX_TERM_CHARS);
      const place = places.get(term) ?? places.size;
      places.set(term, place);
      tokens.push(place);
    }
    return terms.length;
  };
  for (const { headings, title = '', text } of passages) {
    counts.push(add([title, ...headings.slice(0, -1)].join('\n')));
    counts.push(add(headings.at(-1) ?? ''));
    const inText = add(text);
    counts.push(inText);
    words += inText;
  }
  return {
    language,
    first: passages[0]?.number ?? 0,
    passages: passages.length,
    words,
    terms: [...places.keys()],
    counts: Uint32Array.from(counts),
    tokens: Uint32Array.from(tokens),
  };
}

interface Header {
  readonly language: LanguageCode;
  readonly first: number;
  readonly passages: number;
  readonly words: number;
  readonly tokens: number;
  readonly terms: number;
}

/** A JSON header and UTF-8 terms, each ended by a line feed; then the numbers as seven-bit varints. */
export function serializeIndexBlock(block: IndexBlock): Uint8Array {
  const { language, first, passages, words, terms, counts, tokens } = block;
  const header: Header = {
    language,
    first,
    passages,
    words,
    tokens: tokens.length,
    terms: terms.length,
  };
  const text = Buffer.from(`${[JSON.stringify(header), ...terms].join('\n')}\n`);
  const bytes = Buffer.allocUnsafe(text.length + 5 * (counts.length + tokens.length));
  let at = text.copy(bytes);
  for (const numbers of [counts, tokens])
    for (let i = 0; i < numbers.length; i++) {
      let rest = numbers[i] as number;
      while (rest > 0x7f) {
        bytes[at++] = (rest & 0x7f) | 0x80;
        rest >>>= 7;
      }
      bytes[at++] = rest;
    }
  return bytes.subarray(0, at);
}

/** Throws if the bytes are not a block of the current format. */
export function parseIndexBlock(bytes: Uint8Array): IndexBlock {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerEnd = buffer.indexOf(10);
  const header = JSON.parse(buffer.toString('utf8', 0, headerEnd)) as Header;
  let at = headerEnd + 1;
  for (let i = 0; i < header.terms; i++) at = buffer.indexOf(10, at) + 1;
  const text = buffer.toString('utf8', headerEnd + 1, Math.max(headerEnd + 1, at - 1));
  const terms = header.terms === 0 ? [] : text.split('\n');
  const read = (length: number): Uint32Array => {
    const numbers = new Uint32Array(length);
    for (let i = 0; i < length; i++) {
      let value = 0;
      let shift = 0;
      let byte = buffer[at++] ?? 0;
      while (byte & 0x80) {
        value |= (byte & 0x7f) << shift;
        shift += 7;
        byte = buffer[at++] ?? 0;
      }
      numbers[i] = value | (byte << shift);
    }
    return numbers;
  };
  const counts = read(3 * header.passages);
  const tokens = read(header.tokens);
  if (at !== buffer.length)
    throw new Error('the length of an index block does not match its header');
  const { language, first, passages, words } = header;
  return { language, first, passages, words, terms, counts, tokens };
}
