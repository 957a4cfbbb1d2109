import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Block } from '../../src/knowledge/reading/block.ts';
import { readPdf } from '../../src/knowledge/reading/read-pdf.ts';
import { readInColumns } from '../../src/knowledge/reading/text-columns.ts';
import { pdf, shownAt } from '../support/pdf.ts';

const piece = (text: string, left: number, y: number, width: number) => ({
  ...{ text, left, right: left + width, y },
});
const texts = (pieces: readonly { readonly text: string }[]) => pieces.map(({ text }) => text);
const ROWS = [1, 2, 3, 4, 5, 6, 7, 8];

/** Two columns, drawn line by line across the page. */
const columns = ROWS.flatMap((row) => [
  piece(`left ${row}`, 50, 700 - 14 * row, 230),
  piece(`right ${row}`, 310, 700 - 14 * row, 230),
]);

describe('a page', () => {
  test('with two columns is read column by column', () => {
    expect(texts(readInColumns(columns))).toEqual([
      ...ROWS.map((row) => `left ${row}`),
      ...ROWS.map((row) => `right ${row}`),
    ]);
  });

  test('with a title across is read above it first, then below it', () => {
    const title = piece('A title across', 120, 700 - 14 * 4.5, 350);
    expect(texts(readInColumns([...columns, title]))).toEqual([
      ...['left 1', 'left 2', 'left 3', 'left 4', 'right 1', 'right 2', 'right 3', 'right 4'],
      'A title across',
      ...['left 5', 'left 6', 'left 7', 'left 8', 'right 5', 'right 6', 'right 7', 'right 8'],
    ]);
  });

  test('with a table stays row by row', () => {
    const table = ROWS.flatMap((row) => [
      piece(`item ${row}`, 50, 700 - 14 * row, 40),
      piece(`price ${row}`, 310, 700 - 14 * row, 30),
    ]);
    expect(readInColumns(table)).toBe(table);
  });

  test('with one column stays as it is, and so does an empty one', () => {
    const page = ROWS.map((row) => piece(`line ${row}`, 50, 700 - 14 * row, 480));
    expect(readInColumns(page)).toBe(page);
    expect(readInColumns([])).toEqual([]);
  });
});

test('a PDF drawn across its two columns is read sentence by sentence', async () => {
  const left =
    'Brakes are worn after|two thousand kilometres|on the average road and|are then replaced here|by a mechanic of ours|while you are waiting.';
  const right =
    'Tyres last about twice|as long as the brakes|unless the pressure is|too low for the weight|of whoever is riding|on the bicycle itself.';
  const [a, b] = [left.split('|'), right.split('|')];
  const drawn = a.map(
    (text, i) => shownAt(text, 50, 700 - 14 * i) + shownAt(b[i] ?? '', 200, 700 - 14 * i),
  );
  const blocks: Block[] = [];
  for await (const block of readPdf(pdf(deflateSync(drawn.join(''))))) blocks.push(block);
  const text = blocks.map((block) => block.text).join(' ');
  expect(text).toContain(left.replaceAll('|', ' '));
  expect(text).toContain(right.replaceAll('|', ' '));
});

test('words that are drawn one by one are words', async () => {
  const drawn = ROWS.map((row) => {
    const y = 700 - 14 * row;
    // Words of running text do not stand below each other.
    const left = 50 + 30 * (row % 4);
    return (
      shownAt('worn', left, y) + shownAt('brakes', left + 40, y) + shownAt('are', left + 90, y)
    );
  });
  const blocks: Block[] = [];
  for await (const block of readPdf(pdf(deflateSync(drawn.join(''))))) blocks.push(block);
  expect(blocks[0]?.text).toMatch(/^worn brakes are worn brakes are/);
});
