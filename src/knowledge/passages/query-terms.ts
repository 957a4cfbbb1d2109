import type { Db } from '../../store/db.ts';
import { findTermsLike } from '../../store/knowledge-lookup.ts';
import { termsOf } from '../indexing/terms.ts';
import type { LanguageCode } from '../language-words.ts';
import { wordsOfLanguage } from '../language-words.ts';
import { spokenWords } from '../question-words.ts';
import type { QueryTerm } from './score-passages.ts';

const MAX_WORDS = 32;

/** The words of a query that carry meaning, each in the stem it has in each of these languages. */
export function queryTerms(
  query: string,
  languages: readonly LanguageCode[],
): readonly QueryTerm[] {
  const words = [...new Set(spokenWords(query))].slice(0, 4 * MAX_WORDS);
  const terms: QueryTerm[] = [];
  const known = new Set<string>();
  for (const word of words) {
    const forms = new Map<string, number>();
    for (const language of languages) {
      if (wordsOfLanguage(language).fillers.has(word)) continue;
      for (const form of termsOf(word, language)) forms.set(form, 1);
    }
    const key = [...forms.keys()].join(' ');
    if (key === '' || known.has(key)) continue;
    known.add(key);
    terms.push({ forms });
  }
  return terms.slice(0, MAX_WORDS);
}

const PREFIX_CHARS = 3;
const MAX_SIMILAR = 400;
const LONG_WORD_CHARS = 8;
const SLIP = 0.7;
const LONGER_WORD = 0.6;

/** Gives words that nothing has the forms of what they may have been meant to be: a slip away, or longer. */
export async function withSimilarForms(
  db: Db,
  params: {
    readonly knowledgeBaseIds: readonly string[];
    readonly terms: readonly QueryTerm[];
    readonly isKnown: (form: string) => boolean;
  },
): Promise<readonly QueryTerm[]> {
  const { knowledgeBaseIds, terms, isKnown } = params;
  const unknown = terms.filter(({ forms }) => ![...forms.keys()].some(isKnown));
  const wanted = unknown.flatMap(({ forms }) => [...forms.keys()]);
  const prefixes = wanted
    .filter((form) => form.length > PREFIX_CHARS && !/\d/.test(form))
    .map((form) => form.slice(0, PREFIX_CHARS));
  if (prefixes.length === 0) return terms;
  const candidates = await findTermsLike(db, {
    knowledgeBaseIds,
    prefixes: [...new Set(prefixes)],
    limit: MAX_SIMILAR,
  });
  return terms.map((term) => {
    if (!unknown.includes(term)) return term;
    const forms = new Map(term.forms);
    for (const form of term.forms.keys())
      for (const candidate of candidates) {
        const sameness = similarity(form, candidate);
        if (sameness > (forms.get(candidate) ?? 0)) forms.set(candidate, sameness);
      }
    return { forms };
  });
}

function similarity(asked: string, other: string): number {
  if (asked.length >= 4 && other.startsWith(asked)) return LONGER_WORD;
  const slips = asked.length >= LONG_WORD_CHARS ? 2 : 1;
  return editDistance(asked, other, slips) <= slips ? SLIP : 0;
}

/** Letters changed, left out, added or swapped; more than `most` is not counted. */
function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(
        (row[j] as number) + 1,
        (next[j - 1] as number) + 1,
        (row[j - 1] as number) + same,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] as number) + 1);
      next.push(least);
    }
    [before, row] = [row, next];
  }
  return row[b.length] as number;
}
