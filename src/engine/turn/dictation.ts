import type { Language } from '../language/language.ts';
import { spokenDigits } from '../language/spoken-digits.ts';
import { PhraseSet, wordsOf } from '../language/words.ts';

export type ValueKind = 'phone' | 'card' | 'code' | 'email' | 'birth' | 'date' | 'spelling';

/** A value that the assistant asked the caller for. */
export interface Expectation {
  readonly kind: ValueKind;
  /** Its number of digits, if known. */
  readonly digits: number | undefined;
}

const KINDS: readonly ValueKind[] = ['spelling', 'email', 'card', 'phone', 'code', 'birth', 'date'];
const CARD_DIGITS = 16;
const cues = new WeakMap<Language, ReadonlyMap<ValueKind | 'asking', PhraseSet>>();

function cuesOf(language: Language): ReadonlyMap<ValueKind | 'asking', PhraseSet> {
  let map = cues.get(language);
  if (!map) {
    const { dictation } = language.data;
    const kinds = [...KINDS, 'asking'] as const;
    map = new Map(kinds.map((kind) => [kind, new PhraseSet(dictation[kind])]));
    cues.set(language, map);
  }
  return map;
}

/** The value that the assistant's last words ask the caller to dictate. */
export function expectedValue(assistantText: string, language: Language): Expectation | undefined {
  const sentence = lastSentences(assistantText);
  const words = wordsOf(sentence);
  const map = cuesOf(language);
  // "Did you get our e-mail?" does not ask for an address.
  const aboutIt = !sentence.includes('?') || language.yesNoStarts.matchAt(words, 0) > 0;
  if (aboutIt && !map.get('asking')?.within(words)) return undefined;
  const named = namedDigits(sentence, words, language);
  const kind = KINDS.find((candidate) => map.get(candidate)?.within(words));
  if (!kind) return named === undefined ? undefined : { kind: 'code', digits: named };
  return { kind, digits: named ?? usualDigits(kind, sentence, language) };
}

// Another sentence often follows a question ("What's your number? Take your time.").
function lastSentences(text: string): string {
  const sentences = text.match(/[^.?!…。？！।]+[.?!…。？！।]*/g) ?? [];
  const asking = sentences.findLastIndex((sentence) => /[?？]/.test(sentence));
  return sentences.slice(asking >= 0 ? asking : -2).join('');
}

/** "The last four digits", "die 16 Ziffern". */
function namedDigits(
  sentence: string,
  words: readonly string[],
  language: Language,
): number | undefined {
  const said =
    /(?<!\d)(\d+)[\s-]*(?:digits?|stellige?r?s?|ziffern|stellen|chiffres|dígitos|cifras|cifre|cijfers|cijferige?|cyfr\p{L}*|siffr\p{L}*|अंक\p{M}*)/iu.exec(
      sentence,
    );
  if (said) return Number(said[1]);
  const named = words.findIndex((word) =>
    /^(?:\w+-)?(?:digits?|stellige?[rns]?|ziffern|stellen|chiffres|dígitos|cifras|cifre|cijfers|cyfr\p{L}*|siffr\p{L}*|अंक\p{M}*)$/u.test(
      word,
    ),
  );
  if (named < 0) return undefined;
  const number = (words[named] as string).split('-')[0] ?? '';
  return smallNumber(number, language) ?? smallNumber(words[named - 1] ?? '', language);
}

function usualDigits(kind: ValueKind, sentence: string, language: Language): number | undefined {
  if (kind === 'phone') return language.data.phoneDigits;
  if (kind === 'card') return CARD_DIGITS;
  if (kind === 'code' && /zip|post(?:al|code|leitzahl)/iu.test(sentence)) return 5;
  return undefined;
}

function smallNumber(word: string, language: Language): number | undefined {
  if (/^\d{1,2}$/.test(word)) return Number(word);
  const order = language.data.numbers.filter((entry) => !/^(?:oh|une?|una|ein|zwo)$/.test(entry));
  const index = order.indexOf(word);
  return index > 2 && index <= 16 ? index : undefined;
}

/**
 * How much of a dictated value was said: only a `part`, possibly all of a value without a known end (`open`), or the
 * `whole`. Without a dictated value, `whole`.
 */
export type Progress = 'part' | 'open' | 'whole';

/** How much of the expected value the caller has said. */
export function progressOf(
  expectation: Expectation | undefined,
  text: string,
  language: Language,
): Progress {
  const digits = spokenDigits(text, language);
  if (!expectation) {
    if (isPartOfAnnounced(text, language)) return 'part';
    // Several groups of digits in a row are dictation, even if nothing asked for them.
    const grouped = digits.count >= 3 && digits.tailGroups >= 2;
    const usual = digits.count === language.data.phoneDigits || digits.count >= CARD_DIGITS;
    return grouped && !usual ? 'open' : 'whole';
  }
  const part = (is: boolean) => (is ? 'part' : 'whole');
  switch (expectation.kind) {
    case 'phone':
    case 'card':
    case 'code':
      if (digits.count === 0) return endsInLetters(text) ? 'part' : 'whole';
      if (expectation.digits === undefined) return digits.endsInNumber ? 'open' : 'whole';
      return part(digits.count < wanted(expectation.digits, text));
    case 'email':
      return part(isPartialEmail(text, language));
    case 'birth':
    case 'date':
      return part(isPartialDate(text, digits.count, expectation.kind, language));
    case 'spelling':
      return wordsOf(text).filter((word) => /^\p{L}$/u.test(word)).length >= 2 ? 'open' : 'whole';
  }
}

/**
 * Whether the caller announces a phone number and has not said all of it: "you can call me back on. 684". Its first
 * group has three digits or a leading zero, or is yet to come.
 */
function isPartOfAnnounced(text: string, language: Language): boolean {
  const words = wordsOf(text);
  const at = words.findIndex((_, i) => language.announcing.matchAt(words, i) > 0);
  if (at < 0) return false;
  const from = at + language.announcing.matchAt(words, at);
  const first = words.findIndex((word, i) => i >= from && spokenDigits(word, language).count > 0);
  if (first < 0) return language.openEnders.endsWith(words.slice(from));
  const { count, endsInNumber } = spokenDigits(words.slice(first).join(' '), language);
  const zero = /^0/.test(words[first] ?? '') || words[first] === language.data.digits[0];
  return endsInNumber && (zero || count >= 3) && count < language.data.phoneDigits;
}

/** The text ends in letters that were said one by one, as the beginning of a code is. */
const endsInLetters = (text: string) =>
  wordsOf(text)
    .slice(-2)
    .every((word) => /^\p{L}$/u.test(word)) && wordsOf(text).length >= 2;

// An international prefix and the three digits of a 15-digit card change the count.
function wanted(digits: number, text: string): number {
  const compact = text.replaceAll(/[^\d+]/g, '');
  if (compact.startsWith('+')) return digits + 1;
  if (digits === CARD_DIGITS && /^3[47]/.test(compact)) return 15;
  return digits;
}

function isPartialEmail(text: string, language: Language): boolean {
  const words = wordsOf(text);
  if (language.shortAnswers.covers(words)) return false;
  if (/[^\s@]@[^\s@]+\.\p{L}{2,}\W*$/u.test(text)) return false;
  const { emailAt, emailDot } = language.data;
  const at = words.findIndex((word) => word.includes('@') || emailAt.includes(word));
  if (at < 0) return words.length > 0;
  const rest = words.slice(at);
  const dot = rest.findLastIndex((word) => emailDot.includes(word) || /\.\p{L}{2,}$/u.test(word));
  return dot < 0 || (emailDot.includes(rest[dot] as string) && dot === rest.length - 1);
}

function isPartialDate(
  text: string,
  digits: number,
  kind: 'birth' | 'date',
  language: Language,
): boolean {
  const month = wordsOf(text).some((word) => language.data.months.includes(word));
  if (digits === 0 && !month) return false;
  if (/\b(?:19|20)\d\d\b/.test(text)) return false;
  // With the name of a month, day and year are digits; without it, the month as well.
  if (kind === 'birth') return digits < (month ? 4 : 6);
  return month ? digits === 0 : digits < 4;
}
