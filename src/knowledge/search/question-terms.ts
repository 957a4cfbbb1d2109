import { foldLetters } from '../../lib/folded-words.ts';
import type { LanguageCode } from '../../ports/knowledge.ts';
import { wordsOfLanguage } from '../language/language-words.ts';
import { plainWords, stemOf } from '../language/stems.ts';
import type { SearchIndex } from './search-index.ts';

/** A term of an index that matches a word of a question. */
export interface TermForm {
  readonly id: number;
  /** 1 for the same word; less for a word that may have been meant. */
  readonly sameness: number;
}

/** A word of a question with its forms in each index, in the order of the indexes. */
export interface QuestionTerm {
  readonly forms: readonly (readonly TermForm[])[];
  /** Weight of the word: the fewer passages have it, the higher; never negative. */
  readonly weight: number;
  /** Number of passages that have it. */
  readonly passages: number;
}

const MAX_WORDS = 24;
/** Further words are ignored. */
const MAX_QUESTION_WORDS = 400;
const MIN_COMPOUND_CHARS = 6;
const COMPOUND = 0.9;
/** A word in so few passages may be a typing error itself, if a similar word is SLIP_RATIO times as common. */
const RARE_SLIP_PASSAGES = 2;
const SLIP_RATIO = 20;

/**
 * The content words of a question with their forms in the indexes. Function words of the question's language are left
 * out, even if they are content words in a document's language.
 */
export function questionTerms(
  question: string,
  language: LanguageCode,
  indexes: readonly SearchIndex[],
): readonly QuestionTerm[] {
  const { functionWords, fillers, asksFor } = wordsOfLanguage(language);
  const words = [...new Set(plainWords(question).slice(0, MAX_QUESTION_WORDS))];
  const isSmall = (word: string, at: number) => {
    const folded = foldLetters(word);
    // "How much" and "how often" are one word of grammar; "what time" is not.
    const asked = asksFor.get(`${foldLetters(words[at - 1] ?? '')} ${folded}`);
    return functionWords.has(folded) || fillers.has(folded) || (asked && asked !== 'time');
  };
  const content = words.filter((word, at) => !isSmall(word, at));
  const total = indexes.reduce((sum, { passages }) => sum + passages, 0);
  const known = new Set<string>();
  const terms: QuestionTerm[] = [];
  // A question such as "To be or not to be" has function words only.
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
    // "Open" and "opening" are the same term, which counts once.
    if (passages > 0 && known.has(key)) continue;
    known.add(key);
    terms.push({ forms, weight: rarity(passages, total), passages });
  }
  return terms.sort((a, b) => b.weight - a.weight).slice(0, MAX_WORDS);
}

/** Compounds of two words: "check out" also matches "checkout". */
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

/** The word's stem in each language of an index, or similar terms if none has it. */
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
        // A document may have the typing error too.
        const isLikelier = most === 0 || index.df(id) >= SLIP_RATIO * most;
        if (isLikelier && !forms.has(id)) forms.set(id, sameness);
      }
  return [...forms].map(([id, sameness]) => ({ id, sameness }));
}

/** Inverse frequency of a word in `passages` of `total`; a word in none counts as the rarest. */
function rarity(passages: number, total: number): number {
  return Math.log(1 + (total - Math.min(passages, total) + 0.5) / (passages + 0.5));
}
