import type { Element } from 'domhandler';
import { type Block, labelled } from './block.ts';
import { textOf, within } from './html-text.ts';

const ROW = new Set(['tr']);
const CELL = new Set(['td', 'th']);
const TABLE = new Set(['table']);
const BOLD = new Set(['b', 'strong']);
const MAX_LABEL_CHARS = 60;
const HAS_DIGIT = /\p{N}/u;
/** Share of the cells below a name that have a number. */
const NUMBERS_BELOW = 0.6;

/** True for a table of values, false for one used for layout. */
export function isDataTable(table: Element): boolean {
  const rows = within(table, ROW);
  return rows.length > 1 && rows.every((row) => within(row, TABLE).length === 0);
}

interface Row {
  readonly cells: readonly Element[];
  readonly texts: readonly string[];
}

/** The rows of a table, each with the names of its columns if the table has some. */
export function* tableRows(table: Element): Generator<Block> {
  const rows = within(table, ROW).map((row): Row => {
    const cells = within(row, CELL);
    return { cells, texts: cells.map(textOf) };
  });
  let labels: readonly string[] = [];
  for (const [i, row] of rows.entries()) {
    if (isMarkedHead(row) || (i === 0 && looksLikeHead(rows))) {
      labels = row.texts;
      continue;
    }
    const text = rowText(row.texts, labels);
    if (text !== '') yield { kind: 'row', text };
  }
}

/** Without names of columns, the first of two cells says what the second one is. */
function rowText(texts: readonly string[], labels: readonly string[]): string {
  const [first = '', second = ''] = texts;
  if (labels.length === 0 && texts.length === 2)
    return second === '' ? labelled([['', first]]) : labelled([[first, second]]);
  return labelled(texts.map((value, at) => [labels[at] ?? '', value] as const));
}

function isMarkedHead({ cells }: Row): boolean {
  if (cells.length < 2) return false;
  const group = cells[0]?.parent?.parent;
  const isInHead = group?.type === 'tag' && group.name === 'thead';
  return isInHead || cells.every(({ name }) => name === 'th');
}

/**
 * True for a first row in bold type above others, or of different words above columns of numbers. A table without numbers
 * mostly begins with its first entry, and with two columns it needs no names.
 */
function looksLikeHead([first, second, ...more]: readonly Row[]): boolean {
  if (!first || !second) return false;
  if (isBold(first) && !isBold(second)) return true;
  const { texts } = first;
  if (texts.length < 3 || new Set(texts).size < texts.length) return false;
  if (texts.some((text) => HAS_DIGIT.test(text) || text.length > MAX_LABEL_CHARS)) return false;
  const others = [second, ...more];
  const values = texts.slice(1);
  const numeric = values.filter((text, i) => {
    const below = others.filter((row) => HAS_DIGIT.test(row.texts[i + 1] ?? ''));
    return text !== '' && below.length >= NUMBERS_BELOW * others.length;
  });
  return numeric.length >= values.length / 2;
}

function isBold({ cells, texts }: Row): boolean {
  const isCellBold = (cell: Element, text = '') =>
    text !== '' && within(cell, BOLD).map(textOf).join(' ') === text;
  return cells.length > 1 && cells.every((cell, i) => isCellBold(cell, texts[i]));
}
