import { and, asc, eq, sql } from 'drizzle-orm';
import { uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { NotFoundError } from './errors.ts';
import { waitListEntries, waitLists } from './schema/wait-lists.ts';

type Row = typeof waitListEntries.$inferSelect;

/** An entry, with its position (from 1) while it waits. */
export type WaitListEntryRecord = Row & { readonly position: number | undefined };

interface InList {
  readonly waitListId: string;
}

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
    const [row] = await tx
      .insert(waitListEntries)
      .values({
        id: uuidv7(now.getTime()),
        ...entry,
        status: 'waiting',
        createdAt: now,
        updatedAt: now,
      })
      .returning();
    return positioned(tx, row as Row);
  });
}

async function findKnown(
  tx: Db,
  { waitListId, requestKey, phone, name }: InList & Pick<Row, 'requestKey' | 'phone' | 'name'>,
): Promise<Row | undefined> {
  if (requestKey !== null) {
    const [same] = await tx
      .select()
      .from(waitListEntries)
      .where(eq(waitListEntries.requestKey, requestKey));
    if (same) return same;
  }
  return phone === '' ? undefined : findWaiting(tx, { waitListId, phone, name });
}

/** The first waiting entry of a phone number, and of a name if one is given. */
export async function findWaiting(
  db: Db,
  params: InList & { readonly phone: string; readonly name?: string },
): Promise<Row | undefined> {
  const [row] = await db
    .select()
    .from(waitListEntries)
    .where(
      and(
        eq(waitListEntries.waitListId, params.waitListId),
        eq(waitListEntries.status, 'waiting'),
        eq(waitListEntries.phone, params.phone),
        params.name === undefined
          ? undefined
          : sql`lower(${waitListEntries.name}) = ${params.name.toLowerCase()}`,
      ),
    )
    .orderBy(asc(waitListEntries.ticket))
    .limit(1);
  return row;
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
  params: InList & { readonly limit: number },
): Promise<readonly WaitListEntryRecord[]> {
  const rows = await db
    .select()
    .from(waitListEntries)
    .where(
      and(eq(waitListEntries.waitListId, params.waitListId), eq(waitListEntries.status, 'waiting')),
    )
    .orderBy(asc(waitListEntries.ticket))
    .limit(params.limit);
  return rows.map((row, index) => ({ ...row, position: index + 1 }));
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
  const [row] = await db
    .select()
    .from(waitListEntries)
    .where(
      and(eq(waitListEntries.waitListId, params.waitListId), eq(waitListEntries.id, params.id)),
    );
  if (!row) throw new NotFoundError('wait-list-entry', params.id);
  return row.status === 'waiting' ? ((await settle(db, row.id, 'left')) ?? row) : row;
}

async function settle(db: Db, id: string, status: 'taken' | 'left'): Promise<Row | undefined> {
  const [row] = await db
    .update(waitListEntries)
    .set({ status, updatedAt: new Date() })
    .where(and(eq(waitListEntries.id, id), eq(waitListEntries.status, 'waiting')))
    .returning();
  return row;
}
