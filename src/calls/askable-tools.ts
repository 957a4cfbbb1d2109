import type { CallSnapshot } from '../contract/call-snapshot.ts';
import type { Askable } from '../knowledge/askable.ts';
import { questionLanguage } from '../knowledge/language/detect-language.ts';
import { isSmallWord } from '../knowledge/language/language-words.ts';
import { foldLetters } from '../lib/folded-words.ts';
import type { LanguageCode } from '../ports/knowledge.ts';

type Described = Pick<NonNullable<CallSnapshot['tools']>[number]['config'], 'function'>;

const MAX_TOPICS = 50;
const MAX_WORDS = 6;

/**
 * Questions about tools without required values, derived from their descriptions: whole questions, and the subject of a
 * description, such as "status of the last order" and "last order" for "Tells the status of the last order."
 */
export function askableOfTools(configs: readonly Described[]): Askable {
  const parts = configs
    .filter(({ function: { parameters } }) => (parameters.required ?? []).length === 0)
    .flatMap(({ function: { description } }) => description.match(/[^.!?;:\n]+[.!?]?/g) ?? [])
    .map((part) => part.trim());
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
  const language = questionLanguage(statement, new Set());
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

function carries(word: string, language: LanguageCode): boolean {
  return /\p{L}/u.test(word) && !isSmallWord(foldLetters(word.toLowerCase()), language);
}
