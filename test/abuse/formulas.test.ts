import { expect, test } from 'vitest';
import { readFaqCsv, writeFaqCsv } from '../../src/console/knowledge/faq-csv.ts';
import { addRows, type FaqDraft } from '../../src/console/knowledge/faq-draft.ts';

test('an exported table holds nothing that a spreadsheet runs, and reads back as it was', () => {
  const entries = [
    '=HYPERLINK("https://x.example")',
    '+1+1',
    '-2',
    '@SUM(A1)',
    'plain',
    "'quoted",
    "'=x",
  ];
  const empty: FaqDraft = { rows: [] } as unknown as FaqDraft;
  const fields = entries.map((answer) => ({
    question: 'Q?',
    answer,
    category: '',
    updatable: true,
  }));
  const text = writeFaqCsv(addRows(empty, fields));
  for (const line of text.split('\r\n')) expect(line).not.toMatch(/(?:^|,)"?\s*[=+\-@]/);
  expect(readFaqCsv(text).map((entry) => entry.fields.answer)).toEqual(entries);
});
