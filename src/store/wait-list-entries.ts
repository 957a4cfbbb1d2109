import { and, asc, eq, sql } from 'drizzle-orm';
import { uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { NotFoundError } from './errors.ts';
import { waitListEntries, waitLists } from './schema/wait-lists.ts';
import { openedBookings, sealedBooking } from './sealed-bookings.ts';
import { storableText } from './storable.ts';

type Row = typeof waitListEntries.$inferSelect;

/** An entry, with its position (from 1) while it waits. */
export type WaitListEntryRecord = Row & { readonly position: number | undefined };

interface InList {
  readonly waitListId: string;
}

const opened = (db: Db, rows: readonly Row[]) => openedBookings(db, 'wait_list_entries', rows);
const openedOne = async (db: Db, rows: readonly Row[]) => (await opened(db, rows)).at(0);

/** The list is full. */
export class WaitListFullError extends Error {
  override readonly name = 'WaitListFullError';
}

async function positioned(db: Db, row: Row): Promise<WaitListEntryRecord> {
  if (row.status !== 'waiting') return { ...row, position: undefined };
  const position = await db.$count(
    waitListEntries,
    and(
      eq(waitListEntries.waitListId, row.waitListId),
      eq(waitListEntries.status, 'waiting'),
      sql`${waitListEntries.ticket} <= ${row.ticket}`,
    ),
  );
  return { ...row, position };
}

/**
 * Adds an entry. A repeated request, or a person who is waiting already, gets the existing entry. Throws {@link
 * WaitListFullError}.
 */
export async function addToWaitList(
  db: Db,
  params: InList &
    Pick<Row, 'name' | 'phone' | 'notes' | 'callId' | 'requestKey'> & {
      readonly maxEntries: number;
    },
): Promise<WaitListEntryRecord> {
  const { maxEntries, ...entry } = params;
  return db.transaction(async (tx) => {
    // Locked, so that nobody is added twice or beyond the limit.
    await tx
      .select({ id: waitLists.id })
      .from(waitLists)
      .where(eq(waitLists.id, entry.waitListId))
      .for('no key update');
    const known = await findKnown(tx, entry);
    if (known) return positioned(tx, known);
    const waiting = and(
      eq(waitListEntries.waitListId, entry.waitListId),
      eq(waitListEntries.status, 'waiting'),
    );
    if ((await tx.$count(waitListEntries, waiting)) >= maxEntries) throw new WaitListFullError();
    const now = new Date();
    const id = uuidv7(now.getTime());
    const of = entry.waitListId;
    const sealed = await sealedBooking(tx, 'wait_list_entries', { ...entry, id, of });
    const rows = await tx
      .insert(waitListEntries)
      .values({
        id,
        ...entry,
        ...sealed,
        status: 'waiting',
        createdAt: now,
        updatedAt: now,
      })
      .returning();
    return positioned(tx, (await openedOne(tx, rows)) as Row);
  });
}

async function findKnown(
  tx: Db,
  { waitListId, requestKey, phone, name }: InList & Pick<Row, 'requestKey' | 'phone' | 'name'>,
): Promise<Row | undefined> {
  if (requestKey !== null) {
    const rows = await tx
      .select()
      .from(waitListEntries)
      .where(eq(waitListEntries.requestKey, requestKey));
    const same = await openedOne(tx, rows);
    if (same) return same;
  }
  return phone === '' ? undefined : findWaiting(tx, { waitListId, phone, name });
}

const MAX_OF_PHONE = 100;

/** The first waiting entry of a phone number, and of a name if one is given. */
export async function findWaiting(
  db: Db,
  params: InList & { readonly phone: string; readonly name?: string },
): Promise<Row | undefined> {
  const rows = await db
    .select()
    .from(waitListEntries)
    .where(
      and(
        eq(waitListEntries.waitListId, params.waitListId),
        eq(waitListEntries.status, 'waiting'),
        eq(waitListEntries.phone, params.phone),
      ),
    )
    .orderBy(asc(waitListEntries.ticket))
    .limit(MAX_OF_PHONE);
  const name = params.name?.toLowerCase();
  // Names may be sealed, so that the database cannot compare them.
  return (await opened(db, rows)).find(
    (row) => name === undefined || row.name.toLowerCase() === name,
  );
}

export async function findPlace(
  db: Db,
  params: InList & { readonly phone: string },
): Promise<WaitListEntryRecord | undefined> {
  const row = await findWaiting(db, params);
  return row && positioned(db, row);
}

/** Waiting entries in order. */
export async function listWaiting(
  db: Db,
  params: InList & {
    readonly limit: number;
    /** After this one, even if it has left meanwhile. */
    readonly cursor?: string | undefined;
  },
): Promise<readonly WaitListEntryRecord[]> {
  const { waitListId, limit, cursor } = params;
  const waiting = and(
    eq(waitListEntries.waitListId, waitListId),
    eq(waitListEntries.status, 'waiting'),
  );
  const last = sql`(select ticket from wait_list_entries
    where id = ${storableText(cursor ?? '')} and wait_list_id = ${waitListId})`;
  const before =
    cursor === undefined
      ? 0
      : await db.$count(waitListEntries, and(waiting, sql`ticket <= ${last}`));
  const rows = await db
    .select()
    .from(waitListEntries)
    .where(and(waiting, cursor === undefined ? undefined : sql`ticket > ${last}`))
    .orderBy(asc(waitListEntries.ticket))
    .limit(limit);
  return (await opened(db, rows)).map((row, index) => ({ ...row, position: before + index + 1 }));
}

/** Takes the next entry; concurrent calls get different ones. Undefined if nobody waits. */
export async function takeNext(db: Db, { waitListId }: InList): Promise<Row | undefined> {
  return db.transaction(async (tx) => {
    const [next] = await tx
      .select()
      .from(waitListEntries)
      .where(and(eq(waitListEntries.waitListId, waitListId), eq(waitListEntries.status, 'waiting')))
      .orderBy(asc(waitListEntries.ticket))
      .limit(1)
      .for('update', { skipLocked: true });
    if (!next) return undefined;
    return settle(tx, next.id, 'taken');
  });
}

/** Removes a waiting entry from the list; others stay unchanged. */
export async function leaveWaitList(
  db: Db,
  params: InList & { readonly id: string },
): Promise<Row> {
  const rows = await db
    .select()
    .from(waitListEntries)
    .where(
      and(eq(waitListEntries.waitListId, params.waitListId), eq(waitListEntries.id, params.id)),
    );
  const row = await openedOne(db, rows);
  if (!row) throw new NotFoundError('wait-list-entry', params.id);
  return row.status === 'waiting' ? ((await settle(db, row.id, 'left')) ?? row) : row;
}

async function settle(db: Db, id: string, status: 'taken' | 'left'): Promise<Row | undefined> {
  const rows = await db
    .update(waitListEntries)
    .set({ status, updatedAt: new Date() })
    .where(and(eq(waitListEntries.id, id), eq(waitListEntries.status, 'waiting')))
    .returning();
  return openedOne(db, rows);
}
