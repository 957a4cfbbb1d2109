import { answerTasks } from '../../lib/compute-thread.ts';
import { connectDatabase, type Database } from '../../store/database.ts';
import type { UnansweredWording } from '../../store/knowledge-questions.ts';
import type { Connection } from '../../store/pool.ts';
import { groupQuestions, type QuestionGroup } from './group-questions.ts';
import type { KnowledgeHit, SearchedBases } from './knowledge-hit.ts';
import { type KnowledgeQuestion, KnowledgeSearch } from './knowledge-search.ts';

/** A task of a search thread: search, or load indexes. */
export type SearchTask = { readonly connection: Connection } & (
  | { readonly kind: 'search'; readonly question: KnowledgeQuestion }
  | { readonly kind: 'warm'; readonly bases: SearchedBases }
  | { readonly kind: 'group'; readonly wordings: readonly UnansweredWording[] }
);

/** What each kind of task gives. */
export interface SearchAnswers {
  readonly search: readonly KnowledgeHit[];
  readonly warm: undefined;
  readonly group: readonly QuestionGroup[];
}

/** Database connections of a search thread. */
const CONNECTIONS = 3;

let opened: { readonly database: Database; readonly search: KnowledgeSearch } | undefined;

function open(connection: Connection): KnowledgeSearch {
  if (!opened) {
    const database = connectDatabase(connection, { size: CONNECTIONS });
    opened = { database, search: new KnowledgeSearch(database.db) };
  }
  return opened.search;
}

answerTasks<SearchTask, SearchAnswers[SearchTask['kind']]>(async (task) => {
  switch (task.kind) {
    case 'search':
      return open(task.connection).search(task.question);
    case 'warm':
      await open(task.connection).warm(task.bases);
      return undefined;
    case 'group':
      return groupQuestions(task.wordings);
  }
});
