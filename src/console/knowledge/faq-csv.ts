import { parse } from 'csv-parse/browser/esm/sync';
import { addRows, editRow, type FaqDraft, type FaqFields } from './faq-draft.ts';

interface CsvEntry {
  /** Id of an entry that was exported from here. */
  readonly id: string;
  readonly fields: FaqFields;
}

const COLUMNS = ['question', 'answer', 'category', 'updatable', 'id'] as const;
const NO = /^(?:false|no|0)$/i;
const MAX_ENTRIES = 1000;
const FORMULA = /^\s*'*[=+\-@]/;

/** Writes the table as a CSV file that spreadsheets can open and {@link readFaqCsv} can read. */
export function writeFaqCsv({ rows }: FaqDraft): string {
  const lines = rows
    .filter(({ removed }) => !removed)
    .map((row) => [row.question, row.answer, row.category, row.updatable, row.saved?.id ?? '']);
  return [COLUMNS, ...lines].map((line) => `${line.map(quoted).join(',')}\r\n`).join('');
}

function quoted(value: string | boolean): string {
  // A spreadsheet would evaluate text that begins like a formula.
  const text = FORMULA.test(String(value)) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Reads questions and answers from the columns with these names, or else from the first two. Throws an error with a
 * message for users if the file has no such table.
 */
export function readFaqCsv(text: string): readonly CsvEntry[] {
  const [head = [], ...body] = recordsOf(text);
  const names = head.map((name) => name.trim().toLowerCase());
  const named = names.includes('question') && names.includes('answer');
  const at = (column: (typeof COLUMNS)[number]): number =>
    named ? names.indexOf(column) : COLUMNS.indexOf(column);
  const rows = named ? body : [head, ...body];
  const cell = (row: readonly string[], column: (typeof COLUMNS)[number]): string =>
    (row[at(column)] ?? '')
      .trim()
      .replace(/^'(?=\s*'*[=+\-@])/, '')
      .trim();
  const entries = rows.map((row) => ({
    id: named ? cell(row, 'id') : '',
    fields: {
      question: cell(row, 'question'),
      answer: cell(row, 'answer'),
      category: cell(row, 'category'),
      updatable: !named || !NO.test(cell(row, 'updatable')),
    },
  }));
  const filled = entries.filter(({ fields }) => fields.question !== '' || fields.answer !== '');
  if (filled.length === 0) throw new Error('There are no questions in it');
  if (filled.length > MAX_ENTRIES)
    throw new Error(`It holds ${filled.length} questions; ${MAX_ENTRIES} at once are the most`);
  if (filled.every(({ fields }) => fields.answer === ''))
    throw new Error('It needs two columns: question and answer');
  return filled;
}

function recordsOf(text: string): string[][] {
  const first = text.slice(0, text.search(/[\r\n]|$/));
  const count = (mark: string): number => first.split(mark).length;
  const delimiter = [',', ';', '\t'].reduce((best, it) => (count(it) > count(best) ? it : best));
  try {
    return parse(text, { bom: true, delimiter, relax_column_count: true, skip_empty_lines: true });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`It cannot be read as CSV: ${why}`, { cause });
  }
}

/** Merges a file into the draft: entries with a known id are changed, all others are added. */
export function importFaq(draft: FaqDraft, entries: readonly CsvEntry[]): FaqDraft {
  const known = new Map(draft.rows.map((row) => [row.saved?.id, row.key]));
  const isKnown = ({ id }: CsvEntry): boolean => id !== '' && known.has(id);
  const changed = entries
    .filter(isKnown)
    .reduce((now, { id, fields }) => editRow(now, known.get(id) as string, fields), draft);
  const added = entries.filter((entry) => !isKnown(entry)).map(({ fields }) => fields);
  return addRows(changed, added);
}
