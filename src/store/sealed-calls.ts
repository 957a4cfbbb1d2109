import { UNHAPPY_VERDICT } from '../contract/call-review.ts';
import type { CallSnapshot } from '../contract/call-snapshot.ts';
import { keyIdOf } from '../lib/sealed-text.ts';
import type { Db } from './db.ts';
import type { calls } from './schema/calls.ts';
import { type ContentOpener, type ContentSealer, contentOpener } from './sealed-content.ts';
import { openDocument, sealDocument } from './sealing.ts';

type Row = typeof calls.$inferSelect;
type Summary = Pick<Row, 'id' | 'metadata' | 'analysis'>;

/** What a call was given with its request stands in its snapshot, too. */
const GIVEN = ['variables', 'metadata', 'overrides'] as const;
type Given = Partial<Record<(typeof GIVEN)[number], unknown>>;

/** Where a document of a call's row stands. */
export const callPlace = (id: string, part: 'metadata' | 'analysis' | `snapshot.${string}`) => ({
  table: 'calls',
  owner: id,
  part,
});

/** A snapshot as it is stored: with its secrets sealed, and what the call was given. */
export function sealedSnapshot(
  db: Db,
  seal: ContentSealer,
  { id, teamId, snapshot }: Pick<Row, 'id' | 'teamId' | 'snapshot'>,
): CallSnapshot {
  const sealed = sealDocument(db, teamId, snapshot);
  return seal.seals
    ? mapGiven(sealed, (name) =>
        seal.json((snapshot as Given)[name], callPlace(id, `snapshot.${name}`)),
      )
    : sealed;
}

/** The documents of a row that are sealed. */
export const documentsOf = (row: Row): readonly unknown[] => [
  ...[row.metadata, sealedPartOf(row.analysis)],
  ...GIVEN.map((name) => (row.snapshot as Given)[name]),
];

/** Opens the row of a call. */
export async function openedCall(db: Db, call: Row): Promise<Row> {
  const open = await contentOpener(db, documentsOf(call));
  const snapshot = mapGiven(call.snapshot, (name, stored) =>
    open.json(stored, callPlace(call.id, `snapshot.${name}`)),
  );
  return {
    ...call,
    ...openedDocuments(open, call),
    snapshot: openDocument(db, call.teamId, snapshot),
  };
}

/** Opens rows without their snapshots. */
export async function openedSummaries<Call extends Summary>(
  db: Db,
  rows: readonly Call[],
): Promise<readonly Call[]> {
  const open = await contentOpener(
    db,
    rows.flatMap(({ metadata, analysis }) => [metadata, sealedPartOf(analysis)]),
  );
  return rows.map((row) => ({ ...row, ...openedDocuments(open, row) }));
}

function mapGiven(
  snapshot: CallSnapshot,
  map: (name: (typeof GIVEN)[number], value: unknown) => unknown,
): CallSnapshot {
  const given = GIVEN.filter((name) => (snapshot as Given)[name] !== undefined);
  const mapped = given.map((name) => [name, map(name, (snapshot as Given)[name])]);
  // The order of the properties stays.
  return { ...snapshot, ...Object.fromEntries(mapped) };
}

const openedDocuments = (open: ContentOpener, { id, metadata, analysis }: Summary) => ({
  metadata: open.json(metadata, callPlace(id, 'metadata')),
  analysis: isSealed(analysis)
    ? (JSON.parse(open.text(analysis.sealed, callPlace(id, 'analysis'))) as Row['analysis'])
    : analysis,
});

/** An analysis as it is stored; whether it found the call to have failed is left for calls to be found by. */
export function sealedAnalysis(
  seal: ContentSealer,
  id: string,
  analysis: NonNullable<Row['analysis']>,
): NonNullable<Row['analysis']> {
  if (!seal.seals) return analysis;
  const sealed = seal.text(JSON.stringify(analysis), callPlace(id, 'analysis'));
  const { successEvaluation: verdict = '' } = analysis;
  const text = typeof verdict === 'string' ? verdict : JSON.stringify(verdict);
  const isUnhappy = new RegExp(UNHAPPY_VERDICT).test(text);
  return { sealed, isUnhappy };
}

const isSealed = (analysis: Row['analysis']): analysis is { readonly sealed: string } =>
  typeof analysis?.sealed === 'string' && keyIdOf(analysis.sealed) !== undefined;

const sealedPartOf = (analysis: Row['analysis']): string | undefined =>
  isSealed(analysis) ? analysis.sealed : undefined;
