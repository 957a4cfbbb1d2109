import { foldedWords } from '../../lib/folded-words.ts';
import type { LanguageWords } from './language-words.ts';
import { withDigits } from './number-words.ts';
import { stemOf } from './stems.ts';

/** A word of a question as it counts. */
export interface WeightedWord {
  /** As it was written, folded. */
  readonly word: string;
  readonly stem: string;
  readonly weight: number;
  /** It says what the question is about, rather than holding the sentence together. */
  readonly content: boolean;
}

export interface QuestionWords {
  readonly words: readonly WeightedWord[];
  /** What kind of answer is asked for, if a question word says so. */
  readonly asksFor: string | undefined;
}

const CONTRACTIONS: Readonly<Record<string, string>> = {
  "won't": 'will not',
  "can't": 'can not',
  cannot: 'can not',
  "let's": 'let us',
  whats: 'what is',
  wheres: 'where is',
  whens: 'when is',
  whos: 'who is',
  hows: 'how is',
  thats: 'that is',
  theres: 'there is',
  dont: 'do not',
  doesnt: 'does not',
  didnt: 'did not',
  isnt: 'is not',
  arent: 'are not',
  cant: 'can not',
  wont: 'will not',
  im: 'i am',
  ive: 'i have',
  youre: 'you are',
};
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/n't$/, ' not'],
  [/'re$/, ' are'],
  [/'ll$/, ' will'],
  [/'ve$/, ' have'],
  [/'d$/, ' would'],
  [/'m$/, ' am'],
  [/^(what|where|when|who|how|that|there|it|he|she|here)'s$/, '$1 is'],
  [/'s?$/, ''],
];
// Where Japanese writes its grammar.
const HIRAGANA = /\p{sc=Hiragana}/u;
const FUNCTION_WEIGHT = 0.1;
const KIND_WEIGHT = 0.6;
/** Kinds that more than question words ask for; they count as such, and their words don't. */
const COUNTED_KINDS: ReadonlySet<string> = new Set(['time', 'place', 'amount']);

/** The words of a text, contractions written out. */
export function spokenWords(text: string): string[] {
  return foldedWords(text).flatMap((word) => {
    // What a caller says may be the name of something every object has.
    const whole = Object.hasOwn(CONTRACTIONS, word) ? CONTRACTIONS[word] : undefined;
    if (whole !== undefined) return whole.split(' ');
    if (!word.includes("'")) return word;
    const ending = ENDINGS.find(([pattern]) => pattern.test(word));
    return (ending ? word.replace(...ending) : word).split(/[ ']/);
  });
}

/** What of a question counts, and how much. */
export function questionWords(text: string, language: LanguageWords): QuestionWords {
  const spoken = spokenWords(text).filter((word) => !language.fillers.has(word));
  const { words, kinds } = withoutKinds(spoken, language);
  const asked = kinds.filter((kind) => COUNTED_KINDS.has(kind));
  return {
    words: [
      ...withDigits(words).map((word) => weighted(word, language)),
      ...asked.map((kind) => ({ word: '', stem: `?${kind}`, weight: KIND_WEIGHT, content: true })),
    ],
    asksFor: kinds[0],
  };
}

function weighted(word: string, { code, functionWords }: LanguageWords): WeightedWord {
  return functionWords.has(word) || HIRAGANA.test(word)
    ? { word, stem: word, weight: FUNCTION_WEIGHT, content: false }
    : { word, stem: stemOf(word, code), weight: 1, content: true };
}

/** Parts the words that stand for a counted kind, of which two may belong together, from the rest. */
export function withoutKinds(
  words: readonly string[],
  { asksFor }: LanguageWords,
): { readonly words: readonly string[]; readonly kinds: readonly string[] } {
  const rest: string[] = [];
  const kinds = new Set<string>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    const pair = asksFor.get(`${word} ${words[i + 1]}`);
    const kind = pair ?? asksFor.get(word);
    if (kind !== undefined) kinds.add(kind);
    if (kind === undefined || !COUNTED_KINDS.has(kind)) rest.push(word);
    else if (pair !== undefined) i++;
  }
  return { words: rest, kinds: [...kinds] };
}
