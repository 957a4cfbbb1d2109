import type { Db } from '../store/db.ts';
import { listFaqQuestions } from '../store/faq-entries.ts';
import { listSegmentAskable } from '../store/knowledge-lookup.ts';

/**
 * What can be asked of these knowledge bases, which a recogniser should listen for: the questions of the
 * FAQ, then what files and pages ask or have headings for.
 */
export async function listAskable(
  db: Db,
  params: {
    readonly teamId: string;
    readonly knowledgeBaseIds: readonly string[];
    readonly limit: number;
  },
): Promise<readonly string[]> {
  const questions = await listFaqQuestions(db, params);
  const asked = questions.length < params.limit ? await listSegmentAskable(db, params) : [];
  return [...new Set([...questions, ...asked])].slice(0, params.limit);
}
