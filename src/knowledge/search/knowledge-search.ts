import type { Db } from '../../store/db.ts';
import {
  findPassages,
  findSearchedSegments,
  type SearchedSegment,
} from '../../store/knowledge-lookup.ts';
import { fusePassages, passageKey } from './fuse-passages.ts';
import { IndexCache } from './index-cache.ts';
import type { KnowledgeHit, KnowledgeQuery, PassageHit, SearchedBases } from './knowledge-hit.ts';
import { searchFaq } from './search-faq.ts';
import type { SearchIndex } from './search-index.ts';
import { searchWords } from './search-words.ts';
import { findSimilarPassages, type QuestionVector } from './similar-passages.ts';
import { VectorCache } from './vector-cache.ts';

/** A query; with a vector, it also searches by meaning. */
export interface KnowledgeQuestion extends KnowledgeQuery {
  readonly vector?: QuestionVector | undefined;
}

const MAX_QUERY_CHARS = 2_000;
const CANDIDATES = 40;
/** Of each text, so many copies may come before others of the wanted number are missed. */
const COPIES = 4;

/** Searches knowledge bases on the current thread, blocking it for some tens of milliseconds. */
export class KnowledgeSearch {
  readonly #db: Db;
  readonly #indexes: IndexCache;
  readonly #vectors = new VectorCache();

  constructor(db: Db) {
    this.#db = db;
    this.#indexes = new IndexCache(db);
  }

  /** The FAQ entries and passages that answer a question, best first. */
  async search(question: KnowledgeQuestion): Promise<readonly KnowledgeHit[]> {
    const asked = { ...question, query: question.query.slice(0, MAX_QUERY_CHARS) };
    const [entries, passages] = await Promise.all([
      searchFaq(this.#db, asked),
      this.#searchPassages(asked),
    ]);
    const hits: KnowledgeHit[] = [...entries, ...passages];
    return hits.sort((a, b) => b.score - a.score).slice(0, question.limit);
  }

  /** Loads the bases' indexes ahead of a question. */
  async warm(params: SearchedBases): Promise<void> {
    await this.#indexesOf(await findSearchedSegments(this.#db, params));
  }

  async #searchPassages(question: KnowledgeQuestion): Promise<readonly PassageHit[]> {
    const { query, limit, vector } = question;
    const segments = await findSearchedSegments(this.#db, question);
    if (segments.length === 0) return [];
    const wanted = Math.max(CANDIDATES, limit);
    const indexes = await this.#indexesOf(segments);
    const byWords = searchWords(query, indexes, wanted).map(({ index, passage, ...rest }) => ({
      ...(indexes[index] as SearchIndex).locate(passage),
      ...rest,
    }));
    const byMeaning = vector
      ? await findSimilarPassages(
          { db: this.#db, vectors: this.#vectors },
          { vector, segments, limit: wanted },
        )
      : [];
    const fused = fusePassages(byWords, byMeaning).slice(0, COPIES * limit);
    const passages = await findPassages(this.#db, fused);
    const byKey = new Map(passages.map((passage) => [passageKey(passage), passage]));
    // By meaning, and in several bases, the same text is found as often as it is there.
    const seen = new Set<string>();
    const hits = fused.flatMap((it): PassageHit[] => {
      const passage = byKey.get(passageKey(it));
      if (!passage || seen.has(passage.text)) return [];
      seen.add(passage.text);
      return [{ kind: 'passage', passage, score: it.score }];
    });
    return hits.slice(0, limit);
  }

  #indexesOf(segments: readonly SearchedSegment[]) {
    const byBase = Map.groupBy(segments, ({ knowledgeBaseId }) => knowledgeBaseId);
    return Promise.all([...byBase].map(([id, own]) => this.#indexes.get(id, own)));
  }
}
