import { eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import { advisoryLocks } from './advisory-locks.ts';
import type { Db } from './db.ts';
import { nodes } from './schema/nodes.ts';

/** A process that uses this database. */
export type NodeRecord = Omit<typeof nodes.$inferSelect, 'leaseUntil' | 'leaseMs' | 'isCutOff'>;

const leaseOf = (leaseMs: number): { readonly leaseUntil: SQL; readonly leaseMs: number } => ({
  leaseUntil: sql`clock_timestamp() + ${leaseMs}::integer * interval '1 ms'`,
  leaseMs,
});

/** Registers a node, or renews its registration; `isCutOff`: for a node that cannot do so. */
export async function registerNode(
  db: Db,
  params: { readonly node: NodeRecord; readonly leaseMs: number; readonly isCutOff?: boolean },
): Promise<void> {
  const { node, leaseMs, isCutOff = false } = params;
  const values = { ...node, ...leaseOf(leaseMs), isCutOff };
  await db.insert(nodes).values(values).onConflictDoUpdate({ target: nodes.id, set: values });
}

/**
 * Renews a lease; `isCutOff`: for a node that cannot do so. Returns false if the node is not registered any more: another
 * may have removed it as dead.
 */
export async function renewLease(
  db: Db,
  params: { readonly id: string; readonly leaseMs: number; readonly isCutOff?: boolean },
): Promise<boolean> {
  const { id, leaseMs, isCutOff = false } = params;
  const renewed = await db
    .update(nodes)
    .set({ ...leaseOf(leaseMs), isCutOff })
    .where(eq(nodes.id, id))
    .returning({ id: nodes.id });
  return renewed.length > 0;
}

/** A registered node, and for how long its lease has been over: negative while it lasts. */
export type ListedNode = NodeRecord & { readonly isCutOff: boolean; readonly overdueMs: number };

/** All registered nodes, including those whose lease has expired. */
export async function listNodes(db: Db): Promise<readonly ListedNode[]> {
  const { leaseUntil, leaseMs, ...columns } = getTableColumns(nodes);
  const overdueMs = sql<number>`(extract(epoch from clock_timestamp() - ${leaseUntil}) * 1000)::float8`;
  return db.select({ ...columns, overdueMs }).from(nodes);
}

export async function findNode(
  db: Db,
  params: { readonly id: string },
): Promise<NodeRecord | undefined> {
  const [node] = await db.select().from(nodes).where(eq(nodes.id, params.id));
  return node;
}

/** Nodes sign off. */
export async function removeNodes(
  db: Db,
  params: { readonly ids: readonly string[] },
): Promise<void> {
  if (params.ids.length > 0) await db.delete(nodes).where(inArray(nodes.id, [...params.ids]));
}

/** Does work that only one node may do at a time; undefined if another is doing it. */
export async function asOnlySweeper<Result>(
  db: Db,
  work: (tx: Db) => Promise<Result>,
): Promise<Result | undefined> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ mine: boolean }>(
      sql`select pg_try_advisory_xact_lock(${advisoryLocks.nodeSweep}) as mine`,
    );
    return rows[0]?.mine ? work(tx) : undefined;
  });
}
