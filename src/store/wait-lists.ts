import { and, asc, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { WaitListConfig } from '../contract/wait-list.ts';
import { uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { NotFoundError, VersionConflictError } from './errors.ts';
import { listed, type Narrowing } from './listed.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import { waitLists } from './schema/wait-lists.ts';

type Row = typeof waitLists.$inferSelect;

export type WaitListRecord = Row & { readonly waiting: number };

interface One {
  readonly teamId: string;
  readonly id: string;
}

const own = ({ teamId, id }: One) => and(eq(waitLists.teamId, teamId), eq(waitLists.id, id));

const shown = {
  ...getTableColumns(waitLists),
  // Written out, since drizzle omits table names in queries of a single table.
  waiting: sql<number>`(select count(*)::int from wait_list_entries entry
    where entry.wait_list_id = wait_lists.id and entry.status = 'waiting')`,
};

export async function createWaitList(
  db: Db,
  params: { readonly teamId: string; readonly config: WaitListConfig },
): Promise<WaitListRecord> {
  const now = new Date();
  const [row] = await db
    .insert(waitLists)
    .values({ id: uuidv7(now.getTime()), ...params, createdAt: now, updatedAt: now })
    .returning();
  return { ...(row as Row), waiting: 0 };
}

export async function getWaitList(db: Db, params: One): Promise<WaitListRecord> {
  const [row] = await db.select(shown).from(waitLists).where(own(params));
  if (!row) throw new NotFoundError('wait-list', params.id);
  return row;
}

/** The list that names the assistant, else the team's oldest one that names no assistant. */
export async function findWaitListOfAssistant(
  db: Db,
  params: { readonly teamId: string; readonly assistantId: string | null },
): Promise<WaitListRecord | undefined> {
  const ids = sql`${waitLists.config} -> 'assistantIds'`;
  const named = sql`${ids} ? ${params.assistantId ?? ''}::text`;
  const [row] = await db
    .select(shown)
    .from(waitLists)
    .where(and(eq(waitLists.teamId, params.teamId), sql`(${named} or ${ids} = '[]'::jsonb)`))
    .orderBy(desc(named), asc(waitLists.id))
    .limit(1);
  return row;
}

/** Newest first. */
export async function listWaitLists(
  db: Db,
  params: { readonly teamId: string } & PageRequest & Narrowing,
): Promise<Page<WaitListRecord>> {
  const { limit } = params;
  const query = db
    .select(shown)
    .from(waitLists)
    .where(listed(waitLists, params, [sql`${waitLists.config} ->> 'name'`]))
    .orderBy(desc(waitLists.id));
  return toPage(await (limit === undefined ? query : query.limit(limit + 1)), limit);
}

/** Replaces the configuration. Throws VersionConflictError if the version is no longer current. */
export async function updateWaitList(
  db: Db,
  params: One & { readonly config: WaitListConfig; readonly expectedVersion: number },
): Promise<WaitListRecord> {
  const { config, expectedVersion } = params;
  const changed = await db
    .update(waitLists)
    .set({ config, version: sql`${waitLists.version} + 1`, updatedAt: new Date() })
    .where(and(own(params), eq(waitLists.version, expectedVersion)))
    .returning({ id: waitLists.id });
  const current = await getWaitList(db, params);
  if (changed.length > 0) return current;
  throw new VersionConflictError('wait-list', params.id, current.version);
}

/** Deletes a wait list and its entries. */
export async function deleteWaitList(db: Db, params: One): Promise<void> {
  const deleted = await db.delete(waitLists).where(own(params)).returning({ id: waitLists.id });
  if (deleted.length === 0) throw new NotFoundError('wait-list', params.id);
}
