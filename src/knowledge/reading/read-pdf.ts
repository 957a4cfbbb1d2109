import { getDocumentProxy } from 'unpdf';
import { type Block, tidy } from './block.ts';
import { ListLines } from './list-lines.ts';
import { type PageLine, repeatedEdges } from './page-furniture.ts';
import { readInColumns } from './text-columns.ts';
import { UnreadableError } from './unreadable-error.ts';

const MAX_PAGES = 5000;

/** PDF: text page by page, without headers and footers; lines in larger type count as headings. */
export async function* readPdf(bytes: Uint8Array): AsyncGenerator<Block> {
  const document = await open(bytes);
  if (document.numPages > MAX_PAGES)
    throw new UnreadableError(`The PDF has more than ${MAX_PAGES} pages.`);
  let textHeight = 0;
  let waiting: Page | undefined;
  const items = new ListLines();
  // Headers and footers are found by comparing with the next page; on the last page, with the one before.
  for await (const page of pagesOf(document)) {
    textHeight ||= usualHeight(page.lines);
    const edges = waiting && repeatedEdges(page.lines, waiting.lines);
    if (waiting) {
      const repeated = repeatedEdges(waiting.lines, page.lines);
      yield* paragraphsOf(without(waiting, repeated), { page: waiting.number, textHeight, items });
    }
    waiting = { ...page, edges };
  }
  if (waiting)
    yield* paragraphsOf(without(waiting, new Set()), { page: waiting.number, textHeight, items });
}

interface Page {
  readonly number: number;
  readonly lines: readonly PageLine[];
  /** The headers and footers that the page before has too. */
  readonly edges?: ReadonlySet<PageLine> | undefined;
}

function without({ lines, edges }: Page, repeated: ReadonlySet<PageLine>): readonly PageLine[] {
  return lines.filter((line) => !repeated.has(line) && !edges?.has(line));
}

async function* pagesOf(document: Awaited<ReturnType<typeof open>>): AsyncGenerator<Page> {
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    yield { number, lines: linesOf(inReadingOrder(items.filter((item) => 'str' in item))) };
    page.cleanup();
  }
}

async function open(bytes: Uint8Array) {
  try {
    // Copied, since the library refuses a Buffer and keeps the array.
    return await getDocumentProxy(new Uint8Array(bytes), { useSystemFonts: false, verbosity: 0 });
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'PasswordException')
      throw new UnreadableError('The PDF is encrypted: remove its password first.');
    throw new UnreadableError('The PDF is broken and cannot be read.');
  }
}

/** A piece of text; `transform` holds its position. */
interface PdfText {
  readonly str: string;
  readonly hasEOL: boolean;
  readonly width: number;
  readonly height: number;
  readonly transform: readonly unknown[];
}

interface PlacedText extends PdfText {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

/** Column by column where the page has two; else as it was drawn. */
function inReadingOrder(items: readonly PdfText[]): readonly PlacedText[] {
  const placed = items.map((item): PlacedText => {
    const [left, y] = [Number(item.transform[4]), Number(item.transform[5])];
    return { ...item, left, right: left + item.width, y };
  });
  // Spaces and line ends are items too; without words they would fill every gutter.
  const words = placed.filter(({ str }) => str.trim() !== '');
  const ordered = readInColumns(words);
  return ordered === words ? placed : ordered.map((item) => ({ ...item, hasEOL: false }));
}

/** Least distance of two words, in heights of their type. */
const WORD_GAP = 0.15;

function linesOf(items: readonly PlacedText[]): readonly PageLine[] {
  const lines: PageLine[] = [];
  let text = '';
  let height = 0;
  let y: number | undefined;
  let right = Number.POSITIVE_INFINITY;
  const end = () => {
    if (tidy(text) !== '') lines.push({ text: tidy(text), height, y: y ?? 0 });
    text = '';
    height = 0;
    y = undefined;
    right = Number.POSITIVE_INFINITY;
  };
  for (const item of items) {
    if (y !== undefined && Math.abs(item.y - y) > Math.max(2, item.height * 0.5)) end();
    // Some programs draw each word alone, without the space between.
    if (item.left - right > WORD_GAP * item.height && !text.endsWith(' ')) text += ' ';
    text += item.str;
    right = item.right;
    height = Math.max(height, item.height);
    y ??= item.y;
    if (item.hasEOL) end();
  }
  end();
  return lines;
}

/** The height of most characters. */
function usualHeight(lines: readonly PageLine[]): number {
  const chars = new Map<number, number>();
  for (const { height, text } of lines) {
    const rounded = Math.round(height * 2) / 2;
    chars.set(rounded, (chars.get(rounded) ?? 0) + text.length);
  }
  return [...chars].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

const HEADING_FACTOR = 1.15;
const MAX_HEADING_CHARS = 120;
const PARAGRAPH_GAP = 1.7;

interface PageContext {
  readonly page: number;
  /** Of most of the text. */
  readonly textHeight: number;
  /** Of the whole document, since a list may go on with the next page. */
  readonly items: ListLines;
}

function* paragraphsOf(
  lines: readonly PageLine[],
  { page, textHeight, items }: PageContext,
): Generator<Block> {
  let text = '';
  let isItem = false;
  let last: PageLine | undefined;
  const take = function* (): Generator<Block> {
    if (text !== '' && isItem) yield { kind: 'row', text, page, list: 'item' };
    else if (text !== '') yield { kind: 'paragraph', text, page };
    text = '';
    isItem = false;
  };
  for (const line of lines) {
    const isHeading =
      line.height > textHeight * HEADING_FACTOR && line.text.length <= MAX_HEADING_CHARS;
    const apart = last !== undefined && Math.abs(last.y - line.y) > textHeight * PARAGRAPH_GAP;
    const item = isHeading ? undefined : items.itemIn(line.text);
    if (isHeading || apart || item !== undefined) yield* take();
    if (isHeading) {
      const level = line.height > textHeight * 1.5 ? 1 : 2;
      yield { kind: 'heading', level, text: line.text, page };
    } else text = joined(text, item ?? line.text);
    isItem ||= item !== undefined;
    last = line;
  }
  yield* take();
}

/** Joins two lines; a word hyphenated at the line's end is joined too. */
function joined(before: string, next: string): string {
  if (before === '') return next;
  return /\p{Ll}-$/u.test(before) && /^\p{Ll}/u.test(next)
    ? `${before.slice(0, -1)}${next}`
    : `${before} ${next}`;
}
