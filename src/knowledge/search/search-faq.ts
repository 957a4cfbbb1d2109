import type { LanguageCode } from '../../ports/knowledge.ts';
import type { Db } from '../../store/db.ts';
import {
  type FaqCandidate,
  findFaqCandidates,
  type SearchTerm,
} from '../../store/faq-candidates.ts';
import { questionLanguage } from '../language/detect-language.ts';
import { wordsOfLanguage } from '../language/language-words.ts';
import { spokenWords, withoutKinds } from '../language/question-words.ts';
import { stemOf } from '../language/stems.ts';
import type { FaqHit, KnowledgeQuery } from './knowledge-hit.ts';
import { rankEntries } from './rank.ts';

const MAX_CANDIDATES = 32;
const MAX_TERMS = 40;
/** Entries with a lower score are left out. */
const MIN_SCORE = 0.05;
const MIN_PREFIX_CHARS = 3;
const LONG_WORD_CHARS = 8;

/** The FAQ entries that answer a question, best first. */
export async function searchFaq(db: Db, params: KnowledgeQuery): Promise<readonly FaqHit[]> {
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

/** The content words of a query, or all its words if it has none ("who are you"). */
function searchTerms(query: string): readonly SearchTerm[] {
  const spoken = spokenWords(query);
  const language = wordsOfLanguage(questionLanguage(query, new Set()));
  const { words, kinds } = withoutKinds(spoken, language);
  const content = words.filter(
    (word) => !language.functionWords.has(word) && !language.fillers.has(word),
  );
  // "How much" must find texts with "costs".
  const sameKind = [...language.asksFor].flatMap(([word, kind]) =>
    kinds.includes(kind) ? word.split(' ') : [],
  );
  const wanted = content.length > 0 ? content : spoken;
  const pairs = wanted.slice(1).map((word, i) => ({ word: `${wanted[i]}${word}`, prefix: false }));
  const terms = [
    ...wanted.flatMap((word) => wordTerms(word, language.code)),
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

/** The word, and words with the same beginning, to cover inflections. */
function wordTerms(word: string, language: LanguageCode): SearchTerm[] {
  const exact = { word, prefix: false };
  const root = stemOf(word, language).replace(/i$/, '');
  if (/\d/.test(word) || root.length < MIN_PREFIX_CHARS) return [exact];
  const length = word.length >= LONG_WORD_CHARS ? Math.ceil(word.length * 0.7) : root.length;
  return [exact, { word: root.slice(0, length), prefix: true }];
}
