import { foldedWords } from '../../lib/folded-words.ts';
import type { LanguageWords } from './language-words.ts';
import { stemOf } from './stems.ts';

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** A word of a question with its weight. */
export interface WeightedWord {
  /** The word as written, folded. */
  readonly word: string;
  readonly stem: string;
  readonly weight: number;
  /** True for a content word, false for a function word. */
  readonly content: boolean;
}

export interface QuestionWords {
  readonly words: readonly WeightedWord[];
  /** The kind of answer that a question word asks for. */
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
// Japanese writes function words in hiragana.
const HIRAGANA = /\p{sc=Hiragana}/u;
const FUNCTION_WEIGHT = 0.1;
const KIND_WEIGHT = 0.6;
/** Kinds that other words than question words ask for too; the kind counts instead of the word. */
const COUNTED_KINDS: ReadonlySet<string> = new Set(['time', 'place', 'amount']);

/** The words of a text, with contractions expanded. */
export function spokenWords(text: string): string[] {
  return foldedWords(text).flatMap((word) => {
    // A spoken word may be the name of an inherited property, such as "constructor".
    const whole = Object.hasOwn(CONTRACTIONS, word) ? CONTRACTIONS[word] : undefined;
    if (whole !== undefined) return whole.split(' ');
    if (!word.includes("'")) return word;
    const ending = ENDINGS.find(([pattern]) => pattern.test(word));
    return (ending ? word.replace(...ending) : word).split(/[ ']/);
  });
}

/** The words of a question with their weights. */
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

/** Separates the words that stand for a counted kind, alone or in pairs, from the others. */
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

/** Writes numbers below a hundred as digits, since a recogniser may write either "sixty six" or "66". */
function withDigits(words: readonly string[]): string[] {
  const digits: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    const ten = TENS.indexOf(word);
    const unit = UNITS.indexOf(word);
    const next = UNITS.indexOf(words[i + 1] ?? '');
    if (ten >= 0 && next > 0 && next < 10) {
      digits.push(`${(ten + 2) * 10 + next}`);
      i++;
    } else if (ten >= 0) digits.push(`${(ten + 2) * 10}`);
    // Most often, "one" is a pronoun.
    else digits.push(unit > 1 ? `${unit}` : word);
  }
  return digits;
}
