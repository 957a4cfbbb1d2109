import type { Db } from '../store/db.ts';
import { listFaqQuestions } from '../store/faq-entries.ts';

/** What can be asked of these knowledge bases: the questions a recogniser should listen for. */
export async function listAskable(
  db: Db,
  params: {
    readonly teamId: string;
    readonly knowledgeBaseIds: readonly string[];
    readonly limit: number;
  },
): Promise<readonly string[]> {
  const questions = await listFaqQuestions(db, params);
  return [...new Set(questions)];
}
