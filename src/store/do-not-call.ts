import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import { doNotCall } from './schema/do-not-call.ts';

export type DoNotCallEntry = typeof doNotCall.$inferSelect;

interface OfTeam {
  readonly teamId: string;
}

interface One extends OfTeam {
  readonly number: string;
}

const own = ({ teamId, number }: One) =>
  and(eq(doNotCall.teamId, teamId), eq(doNotCall.number, number));

/** Adds a number; one that is on the list keeps its date. */
export async function addDoNotCall(
  db: Db,
  params: One & {
    readonly note?: string;
    readonly source: DoNotCallEntry['source'];
    readonly callId?: string;
    readonly now: Date;
  },
): Promise<DoNotCallEntry> {
  const { teamId, number, note = '', source, callId = null, now } = params;
  const [row] = await db
    .insert(doNotCall)
    .values({ teamId, number, note, source, callId, createdAt: now })
    .onConflictDoUpdate({
      target: [doNotCall.teamId, doNotCall.number],
      set: {
        note: sql`case when excluded.note = '' then ${doNotCall.note} else excluded.note end`,
      },
    })
    .returning();
  return row as DoNotCallEntry;
}

/** Adds the number of the person on the line of a call; one that is on the list stays as it is. */
export async function keepCallerFromCalls(
  tx: Db,
  { teamId, callId }: OfTeam & { readonly callId: string },
): Promise<void> {
  await tx.execute(sql`
    insert into ${doNotCall} (team_id, number, source, call_id, created_at)
    select team_id, user_number, 'call', id, now() from calls
    where team_id = ${teamId} and id = ${callId} and user_number is not null
    on conflict do nothing`);
}

/** Adds the numbers that are not on the list yet, and returns how many these are. */
export async function importDoNotCall(
  db: Db,
  params: OfTeam & {
    readonly entries: readonly { readonly number: string; readonly note: string }[];
    readonly now: Date;
  },
): Promise<number> {
  const { teamId, entries, now } = params;
  if (entries.length === 0) return 0;
  const added = await db
    .insert(doNotCall)
    .values(
      entries.map((entry) => ({ teamId, ...entry, source: 'import' as const, createdAt: now })),
    )
    .onConflictDoNothing()
    .returning({ number: doNotCall.number });
  return added.length;
}

export async function isDoNotCall(db: Db, params: One): Promise<boolean> {
  const [row] = await db.select({ number: doNotCall.number }).from(doNotCall).where(own(params));
  return row !== undefined;
}

/** A page of the list; a cursor is a number. */
export async function listDoNotCall(
  db: Db,
  { teamId, limit, cursor }: OfTeam & PageRequest,
): Promise<Page<DoNotCallEntry & { readonly id: string }>> {
  const rows = await db
    .select()
    .from(doNotCall)
    .where(
      and(
        eq(doNotCall.teamId, teamId),
        cursor === undefined ? undefined : lt(doNotCall.number, cursor),
      ),
    )
    .orderBy(desc(doNotCall.number))
    .limit(limit === undefined ? Number.MAX_SAFE_INTEGER : limit + 1);
  return toPage(
    rows.map((row) => ({ id: row.number, ...row })),
    limit,
  );
}

/** The entry that was removed; undefined if the number is not on the list. */
export async function removeDoNotCall(db: Db, params: One): Promise<DoNotCallEntry | undefined> {
  const [row] = await db.delete(doNotCall).where(own(params)).returning();
  return row;
}
