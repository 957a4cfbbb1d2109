import { and, eq, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { deleteKnowledgeBase } from './knowledge-bases.ts';
import { assistants } from './schema/assistants.ts';

/** Deletes a knowledge base and removes it from the assistants that use it. */
export async function removeKnowledgeBase(
  db: Db,
  params: { readonly teamId: string; readonly id: string },
): Promise<void> {
  const { teamId, id } = params;
  await db.transaction(async (tx) => {
    await deleteKnowledgeBase(tx, params);
    const users = await tx
      .select({ id: assistants.id, config: assistants.config })
      .from(assistants)
      .where(
        and(
          eq(assistants.teamId, teamId),
          sql`(${assistants.config} -> 'assistantKnowledgeBaseIds')::jsonb ? ${id}::text`,
        ),
      )
      .orderBy(assistants.id)
      .for('update');
    for (const user of users) {
      const left = user.config.assistantKnowledgeBaseIds.filter((other) => other !== id);
      // The configuration's secrets stay sealed, since it is written back as stored.
      const config = { ...user.config, assistantKnowledgeBaseIds: left };
      await tx
        .update(assistants)
        .set({ config, version: sql`${assistants.version} + 1`, updatedAt: new Date() })
        .where(eq(assistants.id, user.id));
    }
  });
}
