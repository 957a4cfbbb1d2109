import { eq, type SQL, sql } from 'drizzle-orm';
import { headOf, type TextPlace } from '../lib/sealed-text.ts';
import { checkpointPlace } from './call-checkpoints.ts';
import { linePlace } from './call-events.ts';
import { notePlace } from './call-notes.ts';
import { callKeyPlace } from './call-originals.ts';
import type { Db } from './db.ts';
import { responsePlace } from './due-deliveries.ts';
import { questionPlace } from './knowledge-questions.ts';
import { messagePlace } from './messages.ts';
import { deliveryPlace } from './outbox.ts';
import { calls } from './schema/calls.ts';
import { type BookingTable, bookingPlace } from './sealed-bookings.ts';
import {
  callPlace,
  documentsOf,
  openedCall,
  sealedAnalysis,
  sealedSnapshot,
} from './sealed-calls.ts';
import { type ContentSealer, contentOpener, sealerOfKey } from './sealed-content.ts';
import { textPlace } from './sealed-texts.ts';
import { openCallSecret } from './sealing.ts';
import { storableJson } from './storable.ts';
import type { TeamKey } from './team-keyring.ts';
import { runPlace } from './test-runs.ts';
import { suitePlace } from './test-suites.ts';

/** A column with what was said. */
interface Column {
  readonly table: string;
  readonly column: string;
  readonly isJson?: boolean;
  /** Columns that name a row, with their types. */
  readonly key: Readonly<Record<string, 'text' | 'integer'>>;
  /** The column that says to whom a row belongs: to a call, or whatever `ofTeam` selects. */
  readonly owner: string;
  readonly place: (row: Readonly<Record<string, string | number>>) => TextPlace;
  /** Equal texts are sealed alike. */
  readonly isAlike?: boolean;
  /** What is to be sealed of a text in the clear. */
  readonly clear?: (db: Db, teamId: string, text: string) => string;
}

type Values = Readonly<Record<string, string | number>>;
const at = (row: Values, column: string): string => String(row[column]);

const OF_CALLS: readonly Column[] = [
  {
    ...{ table: 'call_notes', column: 'text', owner: 'call_id' },
    key: { call_id: 'text', id: 'text' },
    place: (row) => notePlace(at(row, 'call_id'), at(row, 'id')),
  },
  {
    ...{ table: 'messages', column: 'text', owner: 'call_id' },
    key: { call_id: 'text', message_id: 'text' },
    place: (row) => messagePlace(at(row, 'call_id'), at(row, 'message_id')),
  },
  {
    ...{ table: 'call_events', column: 'data', owner: 'call_id', isJson: true },
    key: { call_id: 'text', seq: 'integer' },
    place: (row) => linePlace(at(row, 'call_id'), Number(row.seq)),
  },
  {
    ...{ table: 'call_checkpoints', column: 'data', owner: 'call_id', isJson: true },
    key: { call_id: 'text' },
    place: (row) => checkpointPlace(at(row, 'call_id')),
  },
  {
    ...{ table: 'deliveries', column: 'message', owner: 'call_id', isJson: true },
    key: { call_id: 'text', id: 'text' },
    place: (row) => deliveryPlace(at(row, 'call_id'), at(row, 'id')),
  },
  {
    ...{ table: 'knowledge_questions', column: 'question', owner: 'call_id', isAlike: true },
    key: { call_id: 'text', tool_call_id: 'text', knowledge_base_id: 'text' },
    place: (row) => questionPlace(at(row, 'knowledge_base_id')),
  },
  {
    ...{ table: 'call_keys', column: 'sealed_key', owner: 'call_id' },
    key: { call_id: 'text' },
    place: (row) => callKeyPlace(at(row, 'call_id')),
    clear: openCallSecret,
  },
];

const ATTEMPTS: Column = {
  ...{ table: 'delivery_attempts', column: 'response', owner: 'delivery_id' },
  key: { delivery_id: 'text', number: 'integer' },
  place: (row) => responsePlace(at(row, 'delivery_id'), Number(row.number)),
};

const TEXTS: Column = {
  ...{ table: 'texts', column: 'text', owner: 'team_id' },
  key: { id: 'text' },
  place: (row) => textPlace(at(row, 'id')),
};

const booking = (table: BookingTable, owner: string, column: 'name' | 'notes'): Column => ({
  ...{ table, column, owner, key: { id: 'text' } },
  place: (row) => bookingPlace(table, at(row, 'id'), column),
});

const TESTS: readonly Column[] = [
  {
    ...{ table: 'test_suites', column: 'source', owner: 'team_id', key: { id: 'text' } },
    place: (row) => suitePlace(at(row, 'id')),
  },
  ...(['source', 'results', 'regressed'] as const).map(
    (column): Column => ({
      ...{ table: 'test_runs', column, owner: 'team_id', key: { id: 'text' } },
      isJson: column !== 'source',
      place: (row) => runPlace(at(row, 'id'), column),
    }),
  ),
];

const PAGE_ROWS = 200;

interface Resealing {
  readonly key: TeamKey;
  readonly signal: AbortSignal;
}

/** Seals with the given key what stands about a call in the clear or under another key. */
export async function resealCall(
  db: Db,
  params: Resealing & { readonly callId: string },
): Promise<void> {
  const { callId, key } = params;
  for (const column of OF_CALLS) await resealColumn(db, column, sql`= ${callId}`, params);
  const deliveries = sql`in (select id from deliveries where call_id = ${callId})`;
  await resealColumn(db, ATTEMPTS, deliveries, params);
  await resealRow(db, { callId, key });
}

/** The same for what belongs to a team without a call. */
export async function resealBesidesCalls(db: Db, params: Resealing): Promise<void> {
  const { teamId } = params.key;
  for (const column of [TEXTS, ...TESTS]) await resealColumn(db, column, sql`= ${teamId}`, params);
  const ofCalendars = sql`in (select id from calendars where team_id = ${teamId})`;
  const ofLists = sql`in (select id from wait_lists where team_id = ${teamId})`;
  for (const column of ['name', 'notes'] as const) {
    await resealColumn(db, booking('appointments', 'calendar_id', column), ofCalendars, params);
    await resealColumn(db, booking('wait_list_entries', 'wait_list_id', column), ofLists, params);
  }
}

async function resealColumn(
  db: Db,
  column: Column,
  ofOwner: SQL,
  { key, signal }: Resealing,
): Promise<void> {
  const seal = sealerOfKey(db, key);
  for (let rows = PAGE_ROWS; rows === PAGE_ROWS; ) {
    signal.throwIfAborted();
    rows = await db.transaction((tx) => resealPage(tx, column, ofOwner, key, seal));
  }
}

/** Seals a page of rows that are not sealed with the key yet; returns their number. */
async function resealPage(
  tx: Db,
  column: Column,
  ofOwner: SQL,
  key: TeamKey,
  seal: ContentSealer,
): Promise<number> {
  const table = sql.identifier(column.table);
  const name = sql.identifier(column.column);
  const stored = column.isJson ? sql`${name} #>> '{}'` : sql`${name}`;
  const names = Object.keys(column.key);
  const identifiers = names.map((one) => sql.identifier(one));
  const { rows } = await tx.execute<Record<string, string | number> & { stored: string }>(sql`
    select ${sql.join(identifiers, sql`, `)}, ${stored} as stored from ${table}
    where ${sql.identifier(column.owner)} ${ofOwner} and not starts_with(${stored}, ${headOf(key.id)})
    limit ${PAGE_ROWS} for update`);
  if (rows.length === 0) return 0;
  const open = await contentOpener(
    tx,
    rows.map((row) => row.stored),
  );
  const sealed = rows.map((row) => {
    const place = column.place(row);
    const opened = open.text(row.stored, place);
    const text = column.clear ? column.clear(tx, key.teamId, opened) : opened;
    return {
      ...row,
      stored: column.isAlike ? seal.alike(text, place) : seal.text(text, place),
    };
  });
  const given = Object.entries(column.key).map(
    ([one, type]) => sql`${sql.identifier(one)} ${sql.raw(type)}`,
  );
  const isRow = identifiers.map((one) => sql`${table}.${one} = given.${one}`);
  await tx.execute(sql`
    update ${table} set ${name} = ${column.isJson ? sql`to_json(given.stored)` : sql`given.stored`}
    from json_to_recordset(${storableJson(sealed)}::json)
      as given (${sql.join(given, sql`, `)}, stored text)
    where ${sql.join(isRow, sql` and `)}`);
  return rows.length;
}

/** Seals the documents in the row of a call itself. */
async function resealRow(
  db: Db,
  { callId, key }: { readonly callId: string; readonly key: TeamKey },
): Promise<void> {
  const seal = sealerOfKey(db, key);
  const head = headOf(key.id);
  await db.transaction(async (tx) => {
    const [row] = await tx.select().from(calls).where(eq(calls.id, callId)).for('update');
    if (!row) return;
    const documents = documentsOf(row);
    const isDone = (stored: unknown) => typeof stored === 'string' && stored.startsWith(head);
    const inTheClear = row.analysis !== null && !('sealed' in row.analysis);
    if (!inTheClear && documents.every((stored) => stored === undefined || isDone(stored))) return;
    const call = await openedCall(tx, row);
    const { metadata, analysis } = call;
    await tx
      .update(calls)
      .set({
        metadata: seal.json(metadata, callPlace(callId, 'metadata')),
        ...(analysis ? { analysis: sealedAnalysis(seal, callId, analysis) } : {}),
        snapshot: sealedSnapshot(tx, seal, call),
      })
      .where(eq(calls.id, callId));
  });
}
