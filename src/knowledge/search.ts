import type { Db } from '../store/db.ts';
import { type FaqCandidate, findFaqCandidates, type SearchTerm } from '../store/faq-candidates.ts';
import type { FoundPassage } from '../store/knowledge-lookup.ts';
import { guessLanguage } from './language-words.ts';
import { searchPassages } from './passages/search-passages.ts';
import type { SemanticSearch } from './passages/semantic-search.ts';
import { spokenWords, withoutKinds } from './question-words.ts';
import { rankEntries } from './rank.ts';
import { stem } from './stem.ts';

/** A piece of knowledge that answers a query. */
export type KnowledgeHit = FaqHit | PassageKnowledgeHit;

/** A passage of a file or of a page. */
export interface PassageKnowledgeHit {
  readonly kind: 'passage';
  readonly passage: FoundPassage;
  readonly score: number;
}

export interface FaqHit {
  readonly kind: 'faq';
  readonly id: string;
  readonly knowledgeBaseId: string;
  readonly question: string;
  readonly answer: string;
  readonly category: string;
  /** 0…1, see {@link rankEntries}. */
  readonly score: number;
}

export interface KnowledgeQuery {
  readonly teamId: string;
  readonly knowledgeBaseIds: readonly string[];
  readonly query: string;
  readonly limit: number;
}

const MAX_CANDIDATES = 32;
const MAX_QUERY_CHARS = 2_000;
const MAX_TERMS = 40;
/** Below it there is nothing in common worth showing. */
const MIN_SCORE = 0.05;
const MIN_PREFIX_CHARS = 3;
const LONG_WORD_CHARS = 8;

/** What the knowledge bases say to a query in anyone's words, best first. */
export async function searchKnowledge(
  db: Db,
  params: KnowledgeQuery,
  semantic?: SemanticSearch,
): Promise<readonly KnowledgeHit[]> {
  const query = params.query.slice(0, MAX_QUERY_CHARS);
  const [entries, passages] = await Promise.all([
    searchFaq(db, { ...params, query }),
    searchPassages(db, { ...params, query }, semantic),
  ]);
  const hits: KnowledgeHit[] = [
    ...entries,
    ...passages.map((hit) => ({ kind: 'passage' as const, ...hit })),
  ];
  return hits.sort((a, b) => b.score - a.score).slice(0, params.limit);
}

async function searchFaq(db: Db, params: KnowledgeQuery): Promise<readonly FaqHit[]> {
  const { teamId, knowledgeBaseIds, query, limit } = params;
  const candidates = await findFaqCandidates(db, {
    teamId,
    knowledgeBaseIds,
    terms: searchTerms(query),
    limit: Math.max(MAX_CANDIDATES, limit),
  });
  return rankEntries(query, candidates)
    .filter(({ score }) => score >= MIN_SCORE)
    .slice(0, limit)
    .map(({ entry, score }) => toHit(entry, score));
}

function toHit(entry: FaqCandidate, score: number): FaqHit {
  return { kind: 'faq', ...entry, score: Math.round(score * 1_000) / 1_000 };
}

/** What to look for: the words that carry meaning, or, where none does ("who are you"), all of them. */
function searchTerms(query: string): readonly SearchTerm[] {
  const spoken = spokenWords(query);
  const language = guessLanguage(spoken);
  const { words, kinds } = withoutKinds(spoken, language);
  const content = words.filter(
    (word) => !language.functionWords.has(word) && !language.fillers.has(word),
  );
  // "How much" has to find what is said to cost.
  const sameKind = [...language.asksFor].flatMap(([word, kind]) =>
    kinds.includes(kind) ? word.split(' ') : [],
  );
  const wanted = content.length > 0 ? content : spoken;
  const pairs = wanted.slice(1).map((word, i) => ({ word: `${wanted[i]}${word}`, prefix: false }));
  const terms = [
    ...wanted.flatMap(wordTerms),
    ...pairs,
    ...sameKind
      .filter((word) => !language.functionWords.has(word))
      .map((word) => ({ word, prefix: false })),
  ];
  return [...new Map(terms.map((term) => [`${term.word}${term.prefix}`, term])).values()].slice(
    0,
    MAX_TERMS,
  );
}

/** A word itself, and words that begin like it, which covers the endings that languages put on them. */
function wordTerms(word: string): SearchTerm[] {
  const exact = { word, prefix: false };
  const root = stem(word).replace(/i$/, '');
  if (/\d/.test(word) || root.length < MIN_PREFIX_CHARS) return [exact];
  const length = word.length >= LONG_WORD_CHARS ? Math.ceil(word.length * 0.7) : root.length;
  return [exact, { word: root.slice(0, length), prefix: true }];
}
