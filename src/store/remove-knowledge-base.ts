import { and, eq, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { deleteKnowledgeBase } from './knowledge-bases.ts';
import { assistants } from './schema/assistants.ts';

const FIELD = 'assistantKnowledgeBaseIds';

/** Deletes a knowledge base; assistants that consult it no longer do. */
export async function removeKnowledgeBase(
  db: Db,
  params: { readonly teamId: string; readonly id: string },
): Promise<void> {
  const { teamId, id } = params;
  await db.transaction(async (tx) => {
    await deleteKnowledgeBase(tx, params);
    const ids = sql`${assistants.config} -> ${FIELD}::text`;
    await tx
      .update(assistants)
      .set({
        config: sql`jsonb_set(${assistants.config}, array[${FIELD}::text], (${ids}) - ${id}::text)`,
        version: sql`${assistants.version} + 1`,
        updatedAt: new Date(),
      })
      .where(and(eq(assistants.teamId, teamId), sql`${ids} ? ${id}::text`));
  });
}
