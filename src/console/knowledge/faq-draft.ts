import type { FaqChange, FaqEntry, NewFaqEntry } from '../../client/api.generated.ts';

/** Editable fields of a question with its answer. */
export type FaqFields = Omit<FaqEntry, 'id'>;

/** A row of the table being edited. */
export interface FaqRow extends FaqFields {
  /** Key of the row on the page; it stays the same when the service assigns an id. */
  readonly key: string;
  /** The stored version; undefined for a new row. */
  readonly saved?: FaqEntry;
  /** The row will be deleted on saving. */
  readonly removed?: boolean;
}

export interface FaqDraft {
  readonly rows: readonly FaqRow[];
  /** Number of rows created so far, used for their keys. */
  readonly made: number;
}

interface DraftChanges {
  readonly added: readonly FaqRow[];
  readonly changed: readonly FaqRow[];
  readonly removed: readonly FaqRow[];
}

type RowFaults = Readonly<Partial<Record<'question' | 'answer' | 'category', string>>>;

export const MAX_CHARS = { question: 2000, answer: 20_000, category: 200 } as const;
const FIELDS = ['question', 'answer', 'category', 'updatable'] as const;
const EMPTY: FaqFields = { question: '', answer: '', category: '', updatable: true };

/** A draft without changes. */
export function draftOf(entries: readonly FaqEntry[]): FaqDraft {
  return { rows: entries.map((entry) => ({ ...entry, key: entry.id, saved: entry })), made: 0 };
}

/** Adds new rows above the saved ones, in the order given. */
export function addRows(draft: FaqDraft, fields: readonly Partial<FaqFields>[] = [{}]): FaqDraft {
  const rows = fields.map(
    (it, index): FaqRow => ({
      ...EMPTY,
      ...it,
      key: `new-${draft.made + index}`,
    }),
  );
  const first = draft.rows.findIndex(({ saved }) => saved !== undefined);
  const at = first < 0 ? draft.rows.length : first;
  return {
    rows: [...draft.rows.slice(0, at), ...rows, ...draft.rows.slice(at)],
    made: draft.made + rows.length,
  };
}

export function editRow(draft: FaqDraft, key: string, changes: Partial<FaqFields>): FaqDraft {
  return mapRow(draft, key, (row) => ({ ...row, ...changes }));
}

/** Deletes a new row at once; marks a saved row, which can be restored until the draft is saved. */
export function removeRow(draft: FaqDraft, key: string): FaqDraft {
  const rows = draft.rows.filter((row) => row.key !== key || row.saved !== undefined);
  return mapRow({ ...draft, rows }, key, (row) => ({ ...row, removed: true }));
}

export function restoreRow(draft: FaqDraft, key: string): FaqDraft {
  return mapRow(draft, key, (row) => ({ ...row, removed: false }));
}

function mapRow(draft: FaqDraft, key: string, change: (row: FaqRow) => FaqRow): FaqDraft {
  return { ...draft, rows: draft.rows.map((row) => (row.key === key ? change(row) : row)) };
}

/** Changes to save; new rows left blank are skipped. */
export function changesOf({ rows }: FaqDraft): DraftChanges {
  return {
    added: rows.filter((row) => row.saved === undefined && !isBlank(row)),
    changed: rows.filter((row) => row.saved && !row.removed && isEdited(row)),
    removed: rows.filter(({ removed }) => removed),
  };
}

export function countChanges(draft: FaqDraft): number {
  const { added, changed, removed } = changesOf(draft);
  return added.length + changed.length + removed.length;
}

/** True if the row differs from its stored version. */
export function isEdited(row: FaqRow): boolean {
  const { saved } = row;
  return saved !== undefined && FIELDS.some((name) => row[name] !== saved[name]);
}

function isBlank({ question, answer, category }: FaqRow): boolean {
  return `${question}${answer}${category}`.trim() === '';
}

/** Validation errors of a row, by the service's rules. */
export function faultsOf(row: FaqRow): RowFaults {
  if (row.removed || (row.saved === undefined && isBlank(row))) return {};
  const faults: Partial<Record<keyof RowFaults, string>> = {};
  if (row.question.trim() === '') faults.question = 'Enter a question.';
  if (row.answer.trim() === '') faults.answer = 'Enter an answer.';
  for (const name of ['question', 'answer', 'category'] as const)
    if (row[name].length > MAX_CHARS[name])
      faults[name] = `Longer than ${MAX_CHARS[name]} characters.`;
  return faults;
}

export function newEntryOf({ question, answer, category, updatable }: FaqRow): NewFaqEntry {
  return { question, answer, category, updatable };
}

/** Contains only changed fields, so that other people's changes to the entry are kept. */
export function changeOf(row: FaqRow): FaqChange {
  const { saved } = row;
  if (!saved) throw new Error('a new line has no change');
  const changed = FIELDS.filter((name) => row[name] !== saved[name]);
  return { id: saved.id, ...Object.fromEntries(changed.map((name) => [name, row[name]])) };
}

/** Records that these rows were stored as sent; edits made since then still count as changes. */
export function markSaved(
  draft: FaqDraft,
  sent: readonly FaqRow[],
  entries: readonly FaqEntry[],
): FaqDraft {
  const saved = new Map(sent.map(({ key }, index) => [key, entries[index]]));
  return {
    ...draft,
    rows: draft.rows.map((row) => {
      const entry = saved.get(row.key);
      return entry ? { ...row, saved: entry } : row;
    }),
  };
}

/** Removes a row that the service has deleted. */
export function markGone(draft: FaqDraft, key: string): FaqDraft {
  return { ...draft, rows: draft.rows.filter((row) => row.key !== key) };
}

/** Rows that contain the search text. */
export function matchingRows(rows: readonly FaqRow[], wanted: string): readonly FaqRow[] {
  const text = wanted.trim().toLowerCase();
  if (text === '') return rows;
  return rows.filter((row) =>
    `${row.question}\n${row.answer}\n${row.category}`.toLowerCase().includes(text),
  );
}
