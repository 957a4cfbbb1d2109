import { type ComputeOptions, ComputePool } from '../../lib/compute-pool.ts';
import type { IdleRule } from '../../lib/idle-end.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { Log } from '../../ports/log.ts';
import type { Connection } from '../../store/pool.ts';
import type {
  KnowledgeHit,
  KnowledgeQuery,
  KnowledgeSearcher,
  SearchedBases,
  Unanswered,
} from './knowledge-hit.ts';
import type { KnowledgeQuestion } from './knowledge-search.ts';
import { QuestionVectors } from './question-vectors.ts';
import type { SearchAnswers, SearchTask } from './search-thread.ts';
import { stillUnanswered } from './still-unanswered.ts';

interface SearchServiceDeps {
  readonly connection: Connection;
  /** Absent: passages are searched by words only. */
  readonly embedder?: Embedder | undefined;
  readonly idle?: IdleRule;
  readonly log: Log;
}

/** Long, since a search may first have to load a large index; killed half-way, it would never be loaded. */
const DEADLINE_MS = 120_000;
/** The caller's wait. The search itself goes on, so that the next one finds the index loaded. */
const WAIT_MS = 10_000;
/** For questions to which there may be answers by now: up to a hundred searches, one after the other. */
const UNANSWERED_WAIT_MS = 30_000;
const HEAP_MIB = 1024;

/** Searches knowledge bases on worker threads, each with its own indexes; teams take turns. */
export class SearchService implements KnowledgeSearcher {
  readonly #pool: ComputePool<SearchTask, SearchAnswers[SearchTask['kind']]>;
  readonly #connection: Connection;
  readonly #vectors: QuestionVectors | undefined;
  readonly #log: Log;

  constructor({ connection, embedder, idle = {}, log }: SearchServiceDeps) {
    this.#connection = connection;
    this.#vectors = embedder && new QuestionVectors({ embedder, log });
    this.#log = log;
    this.#pool = new ComputePool({
      entry: new URL('./search-thread.ts', import.meta.url),
      heapMib: HEAP_MIB,
      idle,
    });
  }

  async search(query: KnowledgeQuery, signal?: AbortSignal): Promise<readonly KnowledgeHit[]> {
    const vector = await this.#vectors?.find(query.query);
    return this.#search({ ...query, vector }, signal);
  }

  async findUnanswered({ teamId, knowledgeBaseId, wordings }: Unanswered) {
    const signal = AbortSignal.timeout(UNANSWERED_WAIT_MS);
    const groups = await this.#run(
      { kind: 'group', connection: this.#connection, wordings },
      { team: teamId, signal },
    );
    const bases = { teamId, knowledgeBaseIds: [knowledgeBaseId] };
    return stillUnanswered(groups, (query) => this.#search({ ...bases, query, limit: 1 }, signal));
  }

  warm(bases: SearchedBases): void {
    this.#run({ kind: 'warm', connection: this.#connection, bases }, { team: bases.teamId }).catch(
      (error) => this.#log.warn({ err: error }, 'an index could not be loaded ahead'),
    );
  }

  #search(question: KnowledgeQuestion, signal?: AbortSignal): Promise<readonly KnowledgeHit[]> {
    const late = AbortSignal.timeout(WAIT_MS);
    return this.#run(
      { kind: 'search', connection: this.#connection, question },
      { team: question.teamId, signal: signal ? AbortSignal.any([late, signal]) : late },
    );
  }

  async #run<Kind extends SearchTask['kind']>(
    task: SearchTask & { readonly kind: Kind },
    options: Pick<ComputeOptions, 'team' | 'signal'>,
  ): Promise<SearchAnswers[Kind]> {
    // The thread answers a task with what its kind gives.
    return (await this.#pool.run(task, {
      deadlineMs: DEADLINE_MS,
      ...options,
    })) as SearchAnswers[Kind];
  }

  close(): void {
    this.#pool.close();
  }
}
