import type { Passage } from '../../ports/knowledge.ts';
import type { Block } from '../reading/block.ts';

/** Long enough to answer a question, short enough for several in a prompt. */
const TARGET_CHARS = 700;
const MAX_CHARS = 1000;
/** Text of the passage before that is repeated, since an answer may straddle two passages. */
const OVERLAP_CHARS = 160;
const MAX_HEADING_CHARS = 200;

interface Piece {
  readonly text: string;
  /** True if it continues the piece before it. */
  readonly continues: boolean;
  readonly row: boolean;
}

/** Cuts a document at headings, paragraphs and rows; longer texts are cut between sentences. */
export async function* makePassages(blocks: AsyncIterable<Block>): AsyncGenerator<Passage> {
  const headings: { readonly level: number; readonly text: string }[] = [];
  let text = '';
  let page: number | undefined;
  const take = (): Passage | undefined => {
    const made = text.trim();
    if (made === '') return undefined;
    const path = headings.map((heading) => heading.text);
    return { text: made, headings: path, ...(page === undefined ? {} : { page }) };
  };
  for await (const block of blocks) {
    if (block.kind === 'heading') {
      const made = take();
      if (made) yield made;
      text = '';
      page = undefined;
      const level = block.level ?? 1;
      while ((headings.at(-1)?.level ?? 0) >= level) headings.pop();
      headings.push({ level, text: block.text.slice(0, MAX_HEADING_CHARS) });
      continue;
    }
    for (const piece of piecesOf(block)) {
      if (text !== '' && text.length + piece.text.length > TARGET_CHARS) {
        const made = take();
        if (made) yield made;
        text = piece.row ? '' : overlapOf(text);
        page = block.page;
      }
      page ??= block.page;
      text = text === '' ? piece.text : `${text}${piece.continues ? ' ' : '\n'}${piece.text}`;
    }
  }
  const last = take();
  if (last) yield last;
}

function* piecesOf({ kind, text }: Block): Generator<Piece> {
  const row = kind === 'row';
  if (text.length <= MAX_CHARS) {
    yield { text, continues: false, row };
    return;
  }
  let piece = '';
  let continues = false;
  for (const sentence of sentencesOf(text)) {
    if (piece !== '' && piece.length + sentence.length > TARGET_CHARS) {
      yield { text: piece.trim(), continues, row };
      piece = '';
      continues = true;
    }
    piece += sentence;
  }
  if (piece.trim() !== '') yield { text: piece.trim(), continues, row };
}

const SENTENCE_END = /[.!?。！？][)"'”’»]*\s+|[。！？]|\n/g;

/** Splits into sentences; overlong ones are cut between words. */
function* sentencesOf(text: string): Generator<string> {
  let from = 0;
  for (const match of text.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length;
    yield* bounded(text.slice(from, end));
    from = end;
  }
  if (from < text.length) yield* bounded(text.slice(from));
}

function* bounded(sentence: string): Generator<string> {
  let rest = sentence;
  while (rest.length > TARGET_CHARS) {
    const space = rest.lastIndexOf(' ', TARGET_CHARS);
    const end = space > TARGET_CHARS / 2 ? space + 1 : TARGET_CHARS;
    yield rest.slice(0, end);
    rest = rest.slice(end);
  }
  yield rest;
}

/** The last sentence of a passage if it is short, else nothing. */
function overlapOf(text: string): string {
  const sentences = [...sentencesOf(text.slice(-3 * OVERLAP_CHARS))];
  const last = (sentences.at(-1) ?? '').trim();
  return last.length <= OVERLAP_CHARS && sentences.length > 1 ? last : '';
}
