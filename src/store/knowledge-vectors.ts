import { and, asc, eq, gt, isNotNull } from 'drizzle-orm';
import type { Db } from './db.ts';
import { knowledgePassages } from './schema/knowledge-index.ts';

const VECTORS_PER_QUERY = 500;

/** Reads the vectors of a segment's passages, in slices small enough not to block the event loop. */
export async function* readVectors(
  db: Db,
  params: { readonly segmentId: string },
): AsyncGenerator<{ readonly number: number; readonly vector: Uint8Array }> {
  let last = -1;
  for (;;) {
    const rows = await db
      .select({ number: knowledgePassages.number, vector: knowledgePassages.vector })
      .from(knowledgePassages)
      .where(
        and(
          eq(knowledgePassages.segmentId, params.segmentId),
          gt(knowledgePassages.number, last),
          isNotNull(knowledgePassages.vector),
        ),
      )
      .orderBy(asc(knowledgePassages.number))
      .limit(VECTORS_PER_QUERY);
    for (const { number, vector } of rows) if (vector) yield { number, vector };
    last = rows.at(-1)?.number ?? last;
    if (rows.length < VECTORS_PER_QUERY) return;
  }
}
