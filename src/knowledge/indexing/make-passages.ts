import type { Passage } from '../../ports/knowledge.ts';
import type { Block } from '../reading/block.ts';

/** Long enough to answer a question, short enough for several in a prompt. */
const TARGET_CHARS = 700;
const MAX_CHARS = 1000;
/** Text of the passage before that is repeated, since an answer may straddle two passages. */
const OVERLAP_CHARS = 160;
const MAX_HEADING_CHARS = 200;
const MAX_LEAD_CHARS = 200;
/** A longer list is cut between its items. */
const MAX_LIST_CHARS = 1500;

/** A piece of a block that is not cut further. */
interface Piece {
  readonly text: string;
  /** True if it continues the piece before it. */
  readonly continues: boolean;
  readonly row: boolean;
  readonly page: number | undefined;
}

/** Pieces that stand in one passage where there is room. */
interface Unit {
  readonly pieces: readonly Piece[];
  /** True for a list or an item of one. */
  readonly list?: boolean;
  /** What introduces it. Each passage with a part of the list begins with it. */
  readonly lead?: string | undefined;
  /** A whole list, which is not cut, however little room is left. */
  readonly whole?: boolean;
}

/** Cuts a document at headings, paragraphs, lists and rows; longer texts are cut between items or sentences. */
export async function* makePassages(blocks: AsyncIterable<Block>): AsyncGenerator<Passage> {
  const headings: { readonly level: number; readonly text: string }[] = [];
  let text = '';
  let page: number | undefined;
  let isAfterList = false;
  const take = function* (whole: string): Generator<Passage> {
    const made = whole.trim();
    if (made === '') return;
    const path = headings.map((heading) => heading.text);
    yield { text: made, headings: path, ...(page === undefined ? {} : { page }) };
  };
  for await (const unit of unitsOf(blocks)) {
    if ('heading' in unit) {
      yield* take(text);
      text = '';
      page = undefined;
      const { level = 1, text: heading } = unit.heading;
      while ((headings.at(-1)?.level ?? 0) >= level) headings.pop();
      headings.push({ level, text: heading.slice(0, MAX_HEADING_CHARS) });
      continue;
    }
    const { pieces, list = false, lead, whole = false } = unit;
    const chars = charsOf(pieces);
    for (const [i, piece] of pieces.entries()) {
      const added = i === 0 && (whole || chars <= TARGET_CHARS) ? chars : piece.text.length;
      const isFull = text !== '' && text !== lead && text.length + added > TARGET_CHARS;
      if (isFull && !(whole && i > 0)) {
        yield* take(lead === undefined ? text : withoutEnd(text, lead));
        text = lead ?? ((piece.row && !whole) || isAfterList ? '' : overlapOf(text));
        page = piece.page;
      }
      page ??= piece.page;
      text = text === '' ? piece.text : `${text}${piece.continues ? ' ' : '\n'}${piece.text}`;
      isAfterList = list;
    }
  }
  yield* take(text);
}

/** Gathers the blocks of each list: all of a short one, those of one item after the other of a long one. */
async function* unitsOf(
  blocks: AsyncIterable<Block>,
): AsyncGenerator<Unit | { readonly heading: Block }> {
  let lead: string | undefined;
  let list: Block[] = [];
  let isLong = false;
  const unit = (own: readonly Block[]): Unit => {
    const pieces = own.flatMap(piecesOf);
    return { pieces, list: true, lead, whole: !isLong };
  };
  for await (const block of blocks) {
    if (block.list === undefined) {
      if (list.length > 0) yield unit(list);
      list = [];
      isLong = false;
      if (block.kind === 'heading') yield { heading: block };
      else for (const piece of piecesOf(block)) yield { pieces: [piece] };
      lead = isLead(block) ? block.text : undefined;
      continue;
    }
    if (block.text === '') continue;
    if (isLong && block.list === 'item') {
      if (list.length > 0) yield unit(list);
      list = [];
    }
    list.push(block);
    if (charsOf(list) <= MAX_LIST_CHARS) continue;
    isLong = true;
    const items = itemsOf(list);
    // The last item may go on, unless it is too long itself.
    list = items.length > 1 ? (items.pop() ?? []) : [];
    for (const item of items) yield unit(item);
  }
  if (list.length > 0) yield unit(list);
}

function itemsOf(list: readonly Block[]): Block[][] {
  const items: Block[][] = [];
  for (const block of list) {
    const last = items.at(-1);
    if (block.list === 'item' || !last) items.push([block]);
    else last.push(block);
  }
  return items;
}

function charsOf(texts: readonly { readonly text: string }[]): number {
  return texts.reduce((sum, { text }) => sum + text.length, 0);
}

/** A sentence that announces what follows, in any language. */
function isLead({ kind, text }: Block): boolean {
  return kind === 'paragraph' && text.length <= MAX_LEAD_CHARS && /[:：]\s*$/.test(text);
}

function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length) : text;
}

function piecesOf({ kind, text, page }: Block): Piece[] {
  const row = kind === 'row';
  if (text.length <= MAX_CHARS) return [{ text, continues: false, row, page }];
  const pieces: Piece[] = [];
  let piece = '';
  const settle = () => {
    if (piece.trim() !== '')
      pieces.push({ text: piece.trim(), continues: pieces.length > 0, row, page });
    piece = '';
  };
  for (const sentence of sentencesOf(text)) {
    if (piece.length + sentence.length > TARGET_CHARS) settle();
    piece += sentence;
  }
  settle();
  return pieces;
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
