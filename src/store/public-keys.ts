import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { PublicKeyConfig } from '../contract/public-key.ts';
import { newToken, uuidv7 } from '../lib/ids.ts';
import { getAssistant } from './assistants.ts';
import type { Db } from './db.ts';
import { NotFoundError } from './errors.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import { calls } from './schema/calls.ts';
import { publicKeys } from './schema/public-keys.ts';

export type PublicKeyRecord = typeof publicKeys.$inferSelect;

interface One {
  readonly teamId: string;
  readonly id: string;
}

const own = ({ teamId, id }: One) => and(eq(publicKeys.teamId, teamId), eq(publicKeys.id, id));

/** Throws NotFoundError if the team has no such assistant. */
export async function createPublicKey(
  db: Db,
  { teamId, config }: { readonly teamId: string; readonly config: PublicKeyConfig },
): Promise<PublicKeyRecord> {
  return db.transaction(async (tx) => {
    await getAssistant(tx, { teamId, id: config.assistantId });
    const createdAt = new Date();
    const id = uuidv7(createdAt.getTime());
    const key = `parley_public_${newToken()}`;
    const [row] = await tx
      .insert(publicKeys)
      .values({ id, teamId, key, createdAt, ...config })
      .returning();
    return row as PublicKeyRecord;
  });
}

/** Newest first. */
export async function listPublicKeys(
  db: Db,
  { teamId, limit, cursor }: { readonly teamId: string } & PageRequest,
): Promise<Page<PublicKeyRecord>> {
  const query = db
    .select()
    .from(publicKeys)
    .where(
      and(
        eq(publicKeys.teamId, teamId),
        cursor === undefined ? undefined : lt(publicKeys.id, cursor),
      ),
    )
    .orderBy(desc(publicKeys.id));
  return toPage(await (limit === undefined ? query : query.limit(limit + 1)), limit);
}

export async function findPublicKey(
  db: Db,
  { key }: { readonly key: string },
): Promise<PublicKeyRecord | undefined> {
  const [row] = await db.select().from(publicKeys).where(eq(publicKeys.key, key));
  return row;
}

/** `change` gets the key as it is. Throws NotFoundError for the key, or for an assistant that it should have. */
export async function updatePublicKey(
  db: Db,
  params: One & { readonly change: (before: PublicKeyRecord) => Partial<PublicKeyConfig> },
): Promise<PublicKeyRecord> {
  return db.transaction(async (tx) => {
    const [before] = await tx.select().from(publicKeys).where(own(params)).for('update');
    if (!before) throw new NotFoundError('public-key', params.id);
    const { id, ...after } = { ...before, ...params.change(before) };
    await getAssistant(tx, { teamId: params.teamId, id: after.assistantId });
    await tx.update(publicKeys).set(after).where(own(params));
    return { id, ...after };
  });
}

export async function deletePublicKey(db: Db, params: One): Promise<void> {
  const deleted = await db.delete(publicKeys).where(own(params)).returning({ id: publicKeys.id });
  if (deleted.length === 0) throw new NotFoundError('public-key', params.id);
}

/** What calls of a key use now; a call that goes on past midnight counts for the day on which it ends. */
export interface PublicKeyUse {
  readonly liveCalls: number;
  /** Of the calls that have ended today (UTC). */
  readonly minutesToday: number;
}

export async function publicKeyUse(
  db: Db,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<PublicKeyUse> {
  const today = sql`date_trunc('day', ${now.toISOString()}::timestamptz, 'UTC')`;
  const { rows } = await db.execute<{ live: string; minutes: string }>(
    sql`select count(*) filter (where end_at is null) as live,
      coalesce(sum(extract(epoch from end_at - answered_at)) filter (where end_at is not null), 0) / 60 as minutes
      from ${calls} where public_key_id = ${id} and (end_at is null or end_at >= ${today})`,
  );
  return { liveCalls: Number(rows[0]?.live), minutesToday: Number(rows[0]?.minutes) };
}
