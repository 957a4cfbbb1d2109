import { expect, test } from 'vitest';
import { repeatedEdges } from '../../src/knowledge/reading/page-furniture.ts';

const page = (...texts: readonly string[]) =>
  texts.map((text, i) => ({ text, y: 800 - 20 * i, height: 10 }));
const texts = (lines: ReadonlySet<{ readonly text: string }>) => [...lines].map(({ text }) => text);

test('headers and footers are what two pages have at the same edge, whatever the number of the page', () => {
  const one = page('ACME Handbook', 'Opening hours', 'We open at nine.', 'Come in.', 'Page 1 of 9');
  const two = page('ACME Handbook', 'Prices', 'A ticket costs five.', 'Come in.', 'Page 2 of 9');
  expect(texts(repeatedEdges(one, two))).toEqual(['ACME Handbook', 'Come in.', 'Page 1 of 9']);
});

test('what is repeated within the text stays, and so do pages too short to have edges', () => {
  const one = page('A', 'B', 'Ask at the desk.', 'C', 'D');
  const two = page('E', 'F', 'Ask at the desk.', 'G', 'H');
  expect(texts(repeatedEdges(one, two))).toEqual([]);
  expect(texts(repeatedEdges(page('Closed', 'today'), page('Closed', 'today')))).toEqual([]);
  const long =
    'The same long sentence may open two pages and be worth reading on both of them. '.repeat(2);
  expect(
    texts(repeatedEdges(page(long, 'B', 'C', 'D', 'E'), page(long, 'F', 'G', 'H', 'I'))),
  ).toEqual([]);
});

test('the order in which a page was drawn does not matter', () => {
  const drawn = page('ACME', 'One', 'Two', 'Three', '- 4 -');
  const other = page('ACME', 'Six', 'Seven', 'Eight', '- 5 -').reverse();
  expect(texts(repeatedEdges(drawn, other))).toEqual(['ACME', '- 4 -']);
});

/** A page whose first line stands apart. */
const headed = (head: string, height = 10) => [
  { text: head, y: 800, height },
  ...Array.from({ length: 8 }, (_, i) => ({
    text: `${head}: line ${'abcdefgh'[i]}`,
    y: 760 - 12 * i,
    height: 10,
  })),
];

test('a head that names the section goes, though each page has another', () => {
  expect(texts(repeatedEdges(headed('2.1 Brakes'), headed('2.2 Tyres')))).toEqual(['2.1 Brakes']);
});

test('a title in larger type stays, and so does the first line of the text', () => {
  expect(texts(repeatedEdges(headed('Brakes', 20), headed('Tyres', 20)))).toEqual([]);
  const text = (start: string) =>
    Array.from({ length: 8 }, (_, i) => ({
      text: `${start} ${'abcdefgh'[i]}`,
      y: 800 - 12 * i,
      height: 10,
    }));
  expect(texts(repeatedEdges(text('One'), text('Two')))).toEqual([]);
});
