import { answerTasks } from '../../lib/compute-thread.ts';
import { connectDatabase, type Database } from '../../store/database.ts';
import type { Connection } from '../../store/pool.ts';
import type { KnowledgeHit, SearchedBases } from './knowledge-hit.ts';
import { type KnowledgeQuestion, KnowledgeSearch } from './knowledge-search.ts';

/** A task of a search thread: search, or load indexes. */
export type SearchTask = { readonly connection: Connection } & (
  | { readonly kind: 'search'; readonly question: KnowledgeQuestion }
  | { readonly kind: 'warm'; readonly bases: SearchedBases }
);

export type SearchAnswer = readonly KnowledgeHit[];

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

answerTasks<SearchTask, SearchAnswer>(async (task) => {
  const search = open(task.connection);
  if (task.kind === 'search') return search.search(task.question);
  await search.warm(task.bases);
  return [];
});
