import { groupQuestions } from '../../src/knowledge/search/group-questions.ts';
import type { KnowledgeSearcher } from '../../src/knowledge/search/knowledge-hit.ts';
import { KnowledgeSearch } from '../../src/knowledge/search/knowledge-search.ts';
import { stillUnanswered } from '../../src/knowledge/search/still-unanswered.ts';
import type { Db } from '../../src/store/db.ts';

/** Searches on the thread of the test, which spares it threads of its own. */
export function searcherOnThisThread(db: Db): Pick<KnowledgeSearcher, 'search' | 'findUnanswered'> {
  const own = new KnowledgeSearch(db);
  return {
    search: (query) => own.search(query),
    findUnanswered: ({ teamId, knowledgeBaseId, wordings }) =>
      stillUnanswered(groupQuestions(wordings), (query) =>
        own.search({ teamId, knowledgeBaseIds: [knowledgeBaseId], query, limit: 1 }),
      ),
  };
}
