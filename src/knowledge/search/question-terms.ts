import { foldLetters } from '../../lib/folded-words.ts';
import type { LanguageCode } from '../../ports/knowledge.ts';
import { questionLanguage } from '../language/detect-language.ts';
import { wordsOfLanguage } from '../language/language-words.ts';
import { plainWords, stemOf } from '../language/stems.ts';
import type { SearchIndex } from './search-index.ts';

/** A term of one index that stands for a word of a question. */
export interface TermForm {
  readonly id: number;
  /** 1: the same word; less for one that it may have been meant to be. */
  readonly sameness: number;
}

/** A word of a question: its forms in each index, by the indexes' order. */
export interface QuestionTerm {
  readonly forms: readonly (readonly TermForm[])[];
  /** How much the word tells: more the fewer passages have it; nothing below zero. */
  readonly weight: number;
  /** How many passages have it. */
  readonly passages: number;
}

const MAX_WORDS = 24;
/** Of the words read at all. */
const MAX_QUESTION_WORDS = 400;
const MIN_COMPOUND_CHARS = 6;
const COMPOUND = 0.9;
/** A word so rare may be a slip itself, of one that is so many times as common. */
const RARE_SLIP_PASSAGES = 2;
const SLIP_RATIO = 20;

/**
 * The words of a question that carry meaning, as the indexes know them. Words of grammar of the question's
 * own language are left out, whatever the languages of the documents make of them.
 */
export function questionTerms(
  question: string,
  indexes: readonly SearchIndex[],
): readonly QuestionTerm[] {
  const present = new Set(indexes.flatMap((index) => index.languages));
  const { functionWords, fillers } = wordsOfLanguage(questionLanguage(question, present));
  const words = [...new Set(plainWords(question).slice(0, MAX_QUESTION_WORDS))];
  const isSmall = (word: string) => {
    const folded = foldLetters(word);
    return functionWords.has(folded) || fillers.has(folded);
  };
  const content = words.filter((word) => !isSmall(word));
  const total = indexes.reduce((sum, { passages }) => sum + passages, 0);
  const known = new Set<string>();
  const terms: QuestionTerm[] = [];
  // "To be or not to be" has nothing else.
  for (const word of content.length > 0 ? content : words) {
    const forms = indexes.map((index) => [
      ...formsOf(word, index),
      ...compoundsOf(word, words, index),
    ]);
    const passages = indexes.reduce(
      (sum, index, i) => sum + Math.max(0, ...(forms[i] ?? []).map(({ id }) => index.df(id))),
      0,
    );
    const key = forms.map((list) => list.map(({ id }) => id).join()).join(';');
    // "Open" and "opening" are one word, said twice.
    if (passages > 0 && known.has(key)) continue;
    known.add(key);
    terms.push({ forms, weight: rarity(passages, total), passages });
  }
  return terms.sort((a, b) => b.weight - a.weight).slice(0, MAX_WORDS);
}

/** "Check out" is "checkout" to many; either half stands for it. */
function compoundsOf(
  word: string,
  words: readonly string[],
  index: SearchIndex,
): readonly TermForm[] {
  const at = words.indexOf(word);
  const [before, after] = [words[at - 1], words[at + 1]];
  const joint = [before && before + word, after && word + after];
  return joint.flatMap((compound) =>
    compound === undefined || compound.length < MIN_COMPOUND_CHARS
      ? []
      : index.languages.flatMap((language) => {
          const id = index.termId(language, stemOf(compound, language));
          return id === undefined ? [] : [{ id, sameness: COMPOUND }];
        }),
  );
}

/** The word's stem in each language of an index, or terms like it where none has it. */
function formsOf(word: string, index: SearchIndex): readonly TermForm[] {
  const forms = new Map<number, number>();
  const stems = index.languages.map((language): readonly [LanguageCode, string] => [
    language,
    stemOf(word, language),
  ]);
  let most = 0;
  for (const [language, stem] of stems) {
    const id = index.termId(language, stem);
    if (id === undefined) continue;
    forms.set(id, 1);
    most = Math.max(most, index.df(id));
  }
  if (most <= RARE_SLIP_PASSAGES)
    for (const [language, stem] of stems)
      for (const { id, sameness } of index.similar(language)?.find(stem) ?? []) {
        // Somebody else's slip may be in a document, too.
        const isLikelier = most === 0 || index.df(id) >= SLIP_RATIO * most;
        if (isLikelier && !forms.has(id)) forms.set(id, sameness);
      }
  return [...forms].map(([id, sameness]) => ({ id, sameness }));
}

/** Of a word that so many of all passages have; one that none has counts as the rarest. */
function rarity(passages: number, total: number): number {
  return Math.log(1 + (total - Math.min(passages, total) + 0.5) / (passages + 0.5));
}
