import type { CallSnapshot } from '../contract/call-snapshot.ts';
import type { Askable } from '../knowledge/askable.ts';
import {
  isSmallWord,
  LANGUAGE_CODES,
  smallWordShare,
} from '../knowledge/language/language-words.ts';
import { foldedWords, foldLetters } from '../lib/folded-words.ts';
import type { LanguageCode } from '../ports/knowledge.ts';

type Described = Pick<NonNullable<CallSnapshot['tools']>[number]['config'], 'function'>;

const MAX_TOPICS = 50;
const MAX_WORDS = 6;
/** What is read of all descriptions together: a hundred tools may have 500,000 characters. */
const MAX_CHARS = 20_000;
const MAX_PARTS = 200;
const MAX_PART_CHARS = 300;
const DEFAULT: LanguageCode = 'en';

/**
 * Questions about tools without required values, derived from their descriptions: whole questions, and the subject of a
 * description, such as "status of the last order" and "last order" for "Tells the status of the last order."
 */
export function askableOfTools(configs: readonly Described[]): Askable {
  const described = configs
    .filter(({ function: { parameters } }) => (parameters.required ?? []).length === 0)
    .map(({ function: { description } }) => description);
  const parts = (
    described
      .join('\n')
      .slice(0, MAX_CHARS)
      .match(/[^.!?;:\n]+[.!?]?/g) ?? []
  )
    .slice(0, MAX_PARTS)
    .map((part) => part.trim().slice(0, MAX_PART_CHARS));
  const isQuestion = (part: string) => part.endsWith('?');
  const statements = parts.filter((part) => !isQuestion(part));
  return {
    sentences: [...new Set(parts.filter(isQuestion))],
    topics: [...new Set(statements.flatMap(subjectsOf))].slice(0, MAX_TOPICS),
  };
}

/**
 * The names in a statement and combinations of adjacent ones, longest first. The first word of a statement is its verb.
 */
function subjectsOf(statement: string): string[] {
  const words = statement.replace(/[.!]$/, '').split(/[\s,()"“”/]+/);
  const language = languageOf(statement);
  const carrying = words.map((word, at) => at > 0 && carries(word, language));
  const starts = words.flatMap((_, at) => (carrying[at] && !carrying[at - 1] ? [at] : []));
  const ends = words.flatMap((_, at) => (carrying[at] && !carrying[at + 1] ? [at + 1] : []));
  return starts
    .flatMap((from) => {
      const near = ends.filter((to) => to > from && to - from <= MAX_WORDS);
      return near.map((to) => words.slice(from, to));
    })
    .toSorted((a, b) => b.length - a.length)
    .map((subject) => subject.join(' '));
}

/** By its function words alone: a call does not wait for a detector to be loaded, nor do others meanwhile. */
function languageOf(statement: string): LanguageCode {
  const words = foldedWords(statement);
  const shares = LANGUAGE_CODES.map((code) => [smallWordShare(words, code), code] as const);
  const most = Math.max(...shares.map(([share]) => share));
  const best = shares.filter(([share]) => share === most).map(([, code]) => code);
  return best.includes(DEFAULT) ? DEFAULT : (best[0] ?? DEFAULT);
}

function carries(word: string, language: LanguageCode): boolean {
  return /\p{L}/u.test(word) && !isSmallWord(foldLetters(word.toLowerCase()), language);
}
