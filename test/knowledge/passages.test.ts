import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { FileFormat } from '../../src/contract/file.ts';
import { makePassages } from '../../src/knowledge/indexing/make-passages.ts';
import { readBlocks } from '../../src/knowledge/reading/read-blocks.ts';
import { docx, wordParagraph } from '../support/docx.ts';
import { pdf, shownAt } from '../support/pdf.ts';

/** Some 60 letters. */
const item = (n: number) => `Step ${n} is to turn the screw of the part with the number ${n}.`;
const items = (count: number) => Array.from({ length: count }, (_, i) => item(i + 1));
/** Some 550 letters, after which no list has room. */
const before = 'The wheel has to be taken off before anything else is done to it. '
  .repeat(8)
  .trim();
const LEAD = 'To change the brakes:';
const html = (list: readonly string[]) => `<ul>${list.map((it) => `<li>${it}</li>`).join('')}</ul>`;

async function passagesOf(bytes: string | Buffer, format: FileFormat) {
  const made: string[] = [];
  for await (const { text } of makePassages(readBlocks(Buffer.from(bytes), format)))
    made.push(text);
  return made;
}

/** The same document in every format that has lists. */
const FORMATS = {
  html: (list: readonly string[]) => `<p>${before}</p><p>${LEAD}</p>${html(list)}<p>Done.</p>`,
  md: (list: readonly string[]) =>
    `${before}\n\n${LEAD}\n\n${list.map((it) => `- ${it}`).join('\n')}\n\nDone.`,
  docx: (list: readonly string[]) =>
    docx(
      [
        wordParagraph(before),
        wordParagraph(LEAD),
        ...list.map((it) => wordParagraph(it, 0)),
        wordParagraph('Done.'),
      ].join(''),
    ),
} as const;

describe.each(Object.keys(FORMATS) as (keyof typeof FORMATS)[])('lists in %s', (format) => {
  test('a list stays whole, with the sentence that introduces it', async () => {
    const made = await passagesOf(FORMATS[format](items(15)), format);
    expect(made).toEqual([before, [LEAD, ...items(15)].join('\n'), 'Done.']);
  });

  test('a long list is cut between items, and each part has its introduction', async () => {
    const made = await passagesOf(FORMATS[format](items(40)), format);
    const lists = made.slice(1, -1);
    expect(lists.length).toBeGreaterThan(2);
    for (const text of lists) {
      expect(text.startsWith(`${LEAD}\nStep `)).toBe(true);
      expect(text.length).toBeLessThanOrEqual(730);
    }
    const lines = made.join('\n').split('\n');
    expect(lines.filter((line) => line.startsWith('Step '))).toEqual(items(40));
  });
});

test('items stand with the lists in them, in HTML as in Markdown and Word', async () => {
  const inner = Array.from({ length: 6 }, (_, i) => `A tool of the size ${i} for this step.`);
  const outer = items(8);
  const whole = outer.map((it) => [it, ...inner].join('\n'));
  const made = {
    html: await passagesOf(html(outer.map((it) => `${it}${html(inner)}`)), 'html'),
    md: await passagesOf(
      outer.map((it) => [`- ${it}`, ...inner.map((tool) => `  - ${tool}`)].join('\n')).join('\n'),
      'md',
    ),
    docx: await passagesOf(
      docx(
        outer
          .flatMap((it) => [wordParagraph(it, 0), ...inner.map((tool) => wordParagraph(tool, 1))])
          .join(''),
      ),
      'docx',
    ),
  };
  for (const texts of Object.values(made)) {
    expect(texts.join('\n')).toBe(whole.join('\n'));
    for (const text of texts) expect(text.startsWith('Step ')).toBe(true);
  }
});

test('a term stands with all that explains it, and terms of one explanation stand together', async () => {
  const explained = 'It says what is done to the wheel and in which order that is done to it. ';
  const entry = (n: number) =>
    `<dt>-${n}</dt><dt>--long-${n}</dt><dd><p>${explained}</p><p>${explained.repeat(3)}</p></dd>`;
  const made = await passagesOf(
    `<dl>${Array.from({ length: 9 }, (_, i) => entry(i)).join('')}</dl>`,
    'html',
  );
  expect(made.length).toBeGreaterThan(3);
  for (const text of made) expect(text).toMatch(/^-\d\n--long-\d\nIt says/);
});

test('an item longer than a passage is cut as any text, in bounded passages', async () => {
  const paragraphs = Array.from({ length: 30 }, (_, i) => `<p>${i}: ${before}</p>`).join('');
  const made = await passagesOf(
    `<p>${LEAD}</p><ol><li>${paragraphs}</li><li>End.</li></ol>`,
    'html',
  );
  for (const text of made) expect(text.length).toBeLessThanOrEqual(1750);
  for (let i = 0; i < 30; i++) expect(made.join('\n')).toContain(`${i}: ${before}`);
  expect(made.at(-1)).toContain('End.');
});

test('a whole document in a list ends within its bounds', async () => {
  const made = await passagesOf(`<ul><li>${'<b>word</b> '.repeat(5_000)}</li></ul>`, 'html');
  for (const text of made) expect(text.length).toBeLessThanOrEqual(1750);
});

test('items of plain text begin with a bullet or the next number, and go on in the next line', async () => {
  const text = `${before}

You need:
- a wrench
  of ten millimetres
- oil

- Gloves

In 2025 this was written:
2025. was a good year.

To mount it:
1. Lift the wheel.
2) Turn the screw
3 times.
4. No step, since the third is missing.`;
  const made: string[] = [];
  for await (const { kind, text: line, list } of readBlocks(Buffer.from(text), 'txt'))
    made.push(`${list ?? kind}: ${line}`);
  expect(made.slice(1)).toEqual([
    'paragraph: You need:',
    'item: a wrench of ten millimetres',
    'item: oil',
    'item: Gloves',
    'paragraph: In 2025 this was written:\n2025. was a good year.',
    'paragraph: To mount it:',
    'item: 1. Lift the wheel.',
    'item: 2) Turn the screw 3 times. 4. No step, since the third is missing.',
  ]);
  expect((await passagesOf(text, 'txt')).join('\n\n')).toContain(
    'You need:\na wrench of ten millimetres\noil\nGloves',
  );
});

test('a list of a PDF stays whole, with the line that introduces it', async () => {
  const lines = [
    ...before.split('. ').map((sentence) => `${sentence.replace(/\.$/, '')}.`),
    LEAD,
    ...items(8).map((it, i) => `${i + 1}. ${it}`),
  ];
  const shown = lines.map((line, i) => shownAt(line, 50, 760 - 15 * i).replace('/F 12', '/F 10'));
  const made = await passagesOf(pdf(deflateSync(shown.join(''))), 'pdf');
  expect(made.at(-1)).toBe([LEAD, ...items(8).map((it, i) => `${i + 1}. ${it}`)].join('\n'));
});

describe('tables in HTML', () => {
  const cell = (text: string) => `<td>${text}</td>`;
  const table = (...rows: readonly (readonly string[])[]) =>
    `<table>${rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('')}</table>`;
  const rowsOf = async (markup: string) => (await passagesOf(markup, 'html'))[0]?.split('\n');

  test('a table that begins with its first entry keeps it', async () => {
    expect(await rowsOf(table(['Monday', '9 to 5'], ['Tuesday', '10 to 6']))).toEqual([
      'Monday: 9 to 5',
      'Tuesday: 10 to 6',
    ]);
    expect(await rowsOf(table(['Monday', 'closed'], ['Tuesday', '10 to 6']))).toEqual([
      'Monday: closed',
      'Tuesday: 10 to 6',
    ]);
    expect(await rowsOf(table(['Anna', 'sales', 'Berlin'], ['Ben', 'repairs', 'Bonn']))).toEqual([
      'Anna; sales; Berlin',
      'Ben; repairs; Bonn',
    ]);
    expect(
      await rowsOf(table(['Monday', 'closed', 'closed'], ['Tuesday', '9 to 12', '2 to 5'])),
    ).toEqual(['Monday; closed; closed', 'Tuesday; 9 to 12; 2 to 5']);
  });

  test('each row carries the names of its columns, marked as such or not', async () => {
    const rows = [
      ['City bike', '12 €', '60 €'],
      ['Tandem', '25 €', 'on request'],
      ['E-bike', '30 €', '140 €'],
    ];
    const named = [
      'Model: City bike; Day: 12 €; Week: 60 €',
      'Model: Tandem; Day: 25 €; Week: on request',
      'Model: E-bike; Day: 30 €; Week: 140 €',
    ];
    const head = ['Model', 'Day', 'Week'];
    const bold = head.map((name) => `<b>${name}</b>`);
    const marked = table(head, ...rows).replaceAll(/<td>(Model|Day|Week)<\/td>/g, '<th>$1</th>');
    for (const markup of [table(head, ...rows), table(bold, ...rows), marked])
      expect(await rowsOf(markup)).toEqual(named);
    const allBold = table(['<b>Anna</b>', '<b>sales</b>'], ['<b>Ben</b>', '<b>repairs</b>']);
    expect(await rowsOf(allBold)).toEqual(['Anna: sales', 'Ben: repairs']);
    const words = table(['<b>Name</b>', '<b>Task</b>'], ['Anna', 'sales']);
    expect(await rowsOf(words)).toEqual(['Name: Anna; Task: sales']);
  });

  test('a heading of a row says what its value is', async () => {
    const row = (day: string, hours: string) => `<tr><th>${day}</th><td>${hours}</td></tr>`;
    expect(
      await rowsOf(`<table>${row('Monday', '9 to 5')}${row('Tuesday', 'closed')}</table>`),
    ).toEqual(['Monday: 9 to 5', 'Tuesday: closed']);
  });
});
