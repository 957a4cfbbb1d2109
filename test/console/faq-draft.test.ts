import { describe, expect, test } from 'vitest';
import { importFaq, readFaqCsv, writeFaqCsv } from '../../src/console/knowledge/faq-csv.ts';
import {
  addRows,
  changeOf,
  changesOf,
  countChanges,
  draftOf,
  editRow,
  faultsOf,
  markGone,
  markSaved,
  matchingRows,
  newEntryOf,
  removeRow,
  restoreRow,
} from '../../src/console/knowledge/faq-draft.ts';
import fc from '../support/properties.ts';

const HOURS = {
  id: 'a',
  question: 'When do you open?',
  answer: 'At nine.',
  category: 'visit',
  updatable: true,
};
const PRICE = { ...HOURS, id: 'b', question: 'What does it cost?', answer: 'Nothing.' };
const draft = draftOf([HOURS, PRICE]);

describe('questions that are edited', () => {
  test('have nothing to save until something differs', () => {
    expect(countChanges(draft)).toBe(0);
    const edited = editRow(draft, 'a', { answer: 'At ten.' });
    expect(countChanges(edited)).toBe(1);
    expect(countChanges(editRow(edited, 'a', { answer: 'At nine.' }))).toBe(0);
    expect(countChanges(addRows(draft))).toBe(0);
  });

  test('are sent with only the changed fields', () => {
    const [row] = changesOf(editRow(draft, 'b', { answer: 'Five euros.' })).changed;
    expect(row && changeOf(row)).toEqual({ id: 'b', answer: 'Five euros.' });
  });

  test('stand in the order they were made, new ones first', () => {
    const rows = addRows(addRows(draft, [{ question: '1' }]), [{ question: '2' }]).rows;
    expect(rows.map(({ question }) => question)).toEqual([
      '1',
      '2',
      HOURS.question,
      PRICE.question,
    ]);
  });

  test('are marked to be removed, and can be put back; a new one is just gone', () => {
    const removed = removeRow(draft, 'a');
    expect(changesOf(removed).removed).toHaveLength(1);
    expect(countChanges(restoreRow(removed, 'a'))).toBe(0);
    expect(removeRow(addRows(draft), 'new-0').rows).toHaveLength(2);
  });

  test('are saved as they were sent: what is written meanwhile is still to be saved', () => {
    const written = addRows(draft, [{ question: 'Is there parking?', answer: 'Yes.' }]);
    const { added } = changesOf(written);
    const meanwhile = editRow(written, 'new-0', { answer: 'Yes, behind the house.' });
    const entries = added.map((row, index) => ({ ...newEntryOf(row), id: `s${index}` }));
    const saved = markSaved(meanwhile, added, entries as (typeof HOURS)[]);
    const [row] = changesOf(saved).changed;
    expect(row && changeOf(row)).toEqual({ id: 's0', answer: 'Yes, behind the house.' });
    expect(markGone(saved, 'new-0').rows).toHaveLength(2);
  });

  test('need both sides, within the bounds', () => {
    const [row] = addRows(draft, [{ question: 'Why?' }]).rows;
    expect(row && faultsOf(row)).toEqual({ answer: 'Enter an answer.' });
    const [long] = editRow(draft, 'a', { question: 'a'.repeat(2001) }).rows;
    expect(long && faultsOf(long)).toEqual({ question: 'Longer than 2000 characters.' });
    const [blank] = addRows(draft).rows;
    expect(blank && faultsOf(blank)).toEqual({});
  });

  test('are found by their text', () => {
    expect(matchingRows(draft.rows, ' COST').map(({ key }) => key)).toEqual(['b']);
    expect(matchingRows(draft.rows, '')).toHaveLength(2);
  });
});

describe('a CSV file', () => {
  test('that was exported changes the entries it names, and adds the others', () => {
    const text = `${writeFaqCsv(draft).replace('At nine.', 'At eight.')}"New, ""really""?",Yes,,no,\r\n`;
    const { rows } = importFaq(draft, readFaqCsv(text));
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({ question: 'New, "really"?', answer: 'Yes', updatable: false });
    expect(rows.find(({ key }) => key === 'a')).toMatchObject({ answer: 'At eight.' });
  });

  test.each([
    ['without a head', 'When?,At nine.\nWhere?,Here.'],
    ['of a German spreadsheet', '\uFEFFQuestion;Answer\r\nWhen?;At nine.\r\nWhere?;Here.\r\n'],
    ['with columns in another order', 'answer,note,question\nAt nine.,x,When?\nHere.,,Where?'],
  ])('%s is read', (_, text) => {
    const entries = readFaqCsv(text);
    expect(entries.map(({ fields }) => [fields.question, fields.answer])).toEqual([
      ['When?', 'At nine.'],
      ['Where?', 'Here.'],
    ]);
  });

  test.each([
    ['', 'There are no questions in it'],
    ['question,answer\n', 'There are no questions in it'],
    ['just\nlines\n', 'It needs two columns'],
    ['question,answer\n"open', 'It cannot be read as CSV'],
    [`q,a\n${'x,y\n'.repeat(1001)}`, '1000 at once are the most'],
  ])('%j is refused with a reason', (text, reason) => {
    expect(() => readFaqCsv(text)).toThrow(reason);
  });

  test('keeps any text', () => {
    const line = fc.string({ minLength: 1, unit: 'grapheme' }).map((it) => `x${it.trim()}x`);
    fc.assert(
      fc.property(fc.array(fc.tuple(line, line), { minLength: 1, maxLength: 5 }), (pairs) => {
        const entries = pairs.map(([question, answer], index) => ({
          ...HOURS,
          id: `${index}`,
          question,
          answer,
        }));
        const read = readFaqCsv(writeFaqCsv(draftOf(entries)));
        expect(read.map(({ id, fields }) => ({ ...fields, id }))).toEqual(entries);
      }),
    );
  });
});
