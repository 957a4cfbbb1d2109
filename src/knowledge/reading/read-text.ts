import { type Block, tidy } from './block.ts';
import { behindBullet, ListLines } from './list-lines.ts';

const MAX_HEADING_CHARS = 80;
/** Longer paragraphs are split, since a whole file may be one. */
const MAX_PARAGRAPH_CHARS = 20_000;

/**
 * Plain text: paragraphs between blank lines, and items that begin with a bullet or the next number; a short single line
 * without a full stop counts as a heading.
 */
export function* readText(text: string): Generator<Block> {
  const items = new ListLines();
  for (const paragraph of paragraphsOf(text)) {
    const lines = paragraph
      .split(/\r?\n/)
      .map(tidy)
      .filter((line) => line !== '');
    const [first] = lines;
    if (first === undefined) continue;
    const [heading, rest] = splitHeading(lines);
    if (heading !== undefined) yield { kind: 'heading', level: 2, text: heading };
    yield* blocksOf(rest, items);
  }
}

function* blocksOf(lines: readonly string[], items: ListLines): Generator<Block> {
  let paragraph: string[] = [];
  let item: string | undefined;
  for (const line of lines) {
    const begun = items.itemIn(line);
    if (begun === undefined) {
      if (item === undefined) paragraph.push(line);
      else item += ` ${line}`;
      continue;
    }
    if (paragraph.length > 0) yield { kind: 'paragraph', text: paragraph.join('\n') };
    paragraph = [];
    if (item !== undefined) yield { kind: 'row', text: item, list: 'item' };
    item = begun;
  }
  if (paragraph.length > 0) yield { kind: 'paragraph', text: paragraph.join('\n') };
  if (item !== undefined) yield { kind: 'row', text: item, list: 'item' };
}

function* paragraphsOf(text: string): Generator<string> {
  let from = 0;
  for (const { index, 0: gap } of text.matchAll(/\r?\n[ \t]*(?:\r?\n[ \t]*)+|\f/g)) {
    yield* piecesOf(text, from, index);
    from = index + gap.length;
  }
  yield* piecesOf(text, from, text.length);
}

function* piecesOf(text: string, from: number, to: number): Generator<string> {
  let at = from;
  while (to - at > MAX_PARAGRAPH_CHARS) {
    const space = text.lastIndexOf(' ', at + MAX_PARAGRAPH_CHARS);
    const end = space > at ? space : at + MAX_PARAGRAPH_CHARS;
    yield text.slice(at, end);
    at = end;
  }
  yield text.slice(at, to);
}

function splitHeading(
  lines: readonly string[],
): [heading: string | undefined, rest: readonly string[]] {
  const [first = '', second = ''] = lines;
  // A heading underlined in plain text.
  if (/^(?:={3,}|-{3,}|~{3,}|\*{3,})$/.test(second)) return [first, lines.slice(2)];
  if (lines.length === 1 && isHeading(first)) return [first.replace(/:$/, ''), []];
  return [undefined, lines];
}

function isHeading(line: string): boolean {
  if (line.length > MAX_HEADING_CHARS || !/\p{L}/u.test(line)) return false;
  if (behindBullet(line) !== undefined) return false;
  return !/[.!?,;…”"'’)]$/.test(line) && line.split(' ').length <= 10;
}

/** A log: each line is a row. */
export function* readLog(text: string): Generator<Block> {
  for (const line of linesOf(text)) {
    // Removes terminal colours.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches the escape character.
    const words = tidy(line.replace(/\u001b\[[0-9;]*m/g, ''));
    if (words !== '') yield { kind: 'row', text: words };
  }
}

function* linesOf(text: string): Generator<string> {
  let from = 0;
  while (from < text.length) {
    const end = text.indexOf('\n', from);
    yield text.slice(from, end < 0 ? undefined : end);
    if (end < 0) return;
    from = end + 1;
  }
}
