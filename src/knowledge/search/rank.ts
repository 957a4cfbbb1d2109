import { questionLanguage } from '../language/detect-language.ts';
import { wordsOfLanguage } from '../language/language-words.ts';
import {
  type QuestionWords,
  questionWords,
  spokenWords,
  type WeightedWord,
} from '../language/question-words.ts';
import { stemOf } from '../language/stems.ts';

/** The texts of an entry that are compared with a query. */
export interface Rankable {
  readonly question: string;
  readonly answer: string;
  readonly category: string;
}

export interface Ranked<Entry> {
  readonly entry: Entry;
  /** 1: the same question but for case, punctuation and fillers; near 0: a question about something else. */
  readonly score: number;
}

const CONTENT_SHARE = 0.85;
/** Weight of how far the query covers the entry's question, against how far the entry covers the query. */
const QUESTION_SHARE = 0.6;
/** Weight of a word that no entry has: it can't tell entries apart. */
const UNKNOWN_WEIGHT = 0.5;
const OTHER_KIND_FACTOR = 0.7;
/** The highest score from the answer alone. */
const ANSWER_SHARE = 0.45;
const MAX_ANSWER_WORDS = 80;

interface Analysed<Entry> {
  readonly entry: Entry;
  readonly question: QuestionWords;
  /** Words of the answer and the category. */
  readonly context: ReadonlySet<string>;
}

/** Scores entries against a query, best first; equals keep their order. */
export function rankEntries<Entry extends Rankable>(
  query: string,
  entries: readonly Entry[],
): readonly Ranked<Entry>[] {
  const questions = entries.map(({ question }) => question).join('\n');
  const present = new Set(entries.length > 0 ? [questionLanguage(questions, new Set())] : []);
  const language = wordsOfLanguage(questionLanguage(query, present));
  const analysed = entries.map((entry): Analysed<Entry> => {
    const context = spokenWords(firstWords(`${entry.category} ${entry.answer}`));
    return {
      entry,
      question: questionWords(entry.question, language),
      context: new Set(context.map((word) => stemOf(word, language.code))),
    };
  });
  const asked = lighterUnknowns(questionWords(query, language), analysed);
  return analysed
    .map((candidate) => ({ entry: candidate.entry, score: score(asked, candidate) }))
    .sort((a, b) => b.score - a.score);
}

function firstWords(text: string): string {
  return text.split(/\s+/, MAX_ANSWER_WORDS).join(' ');
}

function lighterUnknowns(
  asked: QuestionWords,
  entries: readonly Analysed<unknown>[],
): QuestionWords {
  const known = entries.flatMap(({ question }) => question.words);
  const words = asked.words.map((word) => {
    const isKnown =
      bestMatch(word, known) > 0 || entries.some(({ context }) => context.has(word.stem));
    return isKnown ? word : { ...word, weight: word.weight * UNKNOWN_WEIGHT };
  });
  return { ...asked, words };
}

function score(asked: QuestionWords, { question, context }: Analysed<unknown>): number {
  const [a, b] = withCompoundsJoined(asked.words, question.words);
  const content = (words: readonly WeightedWord[]) => words.filter((word) => word.content);
  const all = agreement(a, b);
  const hasContent = content(a).length > 0 || content(b).length > 0;
  const base = hasContent
    ? CONTENT_SHARE * agreement(content(a), content(b)) + (1 - CONTENT_SHARE) * all
    : all;
  const kindDiffers =
    asked.asksFor !== undefined &&
    question.asksFor !== undefined &&
    asked.asksFor !== question.asksFor;
  const scored = kindDiffers ? base * OTHER_KIND_FACTOR : base;
  const inAnswer = share(content(a), (word) =>
    context.has(word.stem) ? 1 - bestMatch(word, content(b)) : 0,
  );
  return scored + (1 - scored) * ANSWER_SHARE * inAnswer;
}

/** Agreement of two lists of words: the weighted harmonic mean of how far each covers the other. */
function agreement(asked: readonly WeightedWord[], question: readonly WeightedWord[]): number {
  const askedCovered = share(asked, (word) => bestMatch(word, question));
  const questionCovered = share(question, (word) => bestMatch(word, asked));
  if (askedCovered === 0 || questionCovered === 0) return 0;
  return 1 / (QUESTION_SHARE / questionCovered + (1 - QUESTION_SHARE) / askedCovered);
}

function share(words: readonly WeightedWord[], value: (word: WeightedWord) => number): number {
  let total = 0;
  let reached = 0;
  for (const word of words) {
    total += word.weight;
    reached += word.weight * value(word);
  }
  return total === 0 ? 0 : reached / total;
}

function bestMatch(word: WeightedWord, others: readonly WeightedWord[]): number {
  let best = 0;
  for (const other of others) best = Math.max(best, similarity(word.stem, other.stem));
  return best;
}

/** 1 for the same word; less if inflection or a misheard letter may explain the difference. */
function similarity(a: string, b: string): number {
  if (a === b) return 1;
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  // "Pay" and "payment": Snowball does not strip "ment" from short words.
  if (shorter.length >= 3 && longer === `${shorter}ment`) return 0.95;
  if (shorter.length < 5 || /\d/.test(a)) return 0;
  if (sharedPrefix(a, b) >= Math.max(5, 0.7 * longer.length)) return 0.85;
  return longer.length - shorter.length <= 1 && isOneEditAway(shorter, longer) ? 0.75 : 0;
}

function sharedPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

function isOneEditAway(shorter: string, longer: string): boolean {
  const prefix = sharedPrefix(shorter, longer);
  const rest = longer.slice(prefix + 1);
  return rest === shorter.slice(prefix + (shorter.length === longer.length ? 1 : 0));
}

/** Joins two words if the other side writes them as one: "web site" and "website". */
function withCompoundsJoined(
  a: readonly WeightedWord[],
  b: readonly WeightedWord[],
): readonly [readonly WeightedWord[], readonly WeightedWord[]] {
  return [joined(a, b), joined(b, a)];
}

function joined(
  words: readonly WeightedWord[],
  others: readonly WeightedWord[],
): readonly WeightedWord[] {
  const whole = new Map(
    others.flatMap(({ word, stem }): [string, string][] => [
      [stem, stem],
      [word, stem],
    ]),
  );
  const result: WeightedWord[] = [];
  for (const word of words) {
    const last = result.at(-1);
    const compound =
      last && last.word !== '' && word.word !== ''
        ? whole.get(`${last.word}${word.word}`)
        : undefined;
    if (last && compound !== undefined) {
      const joint = `${last.word}${word.word}`;
      result[result.length - 1] = { word: joint, stem: compound, weight: 1, content: true };
    } else result.push(word);
  }
  return result;
}
