import type { Language } from './language.ts';
import { spokenDigits } from './spoken-digits.ts';
import { PhraseSet, wordsOf } from './words.ts';

export type ValueKind = 'phone' | 'card' | 'code' | 'email' | 'date' | 'spelling';

/** A value the caller has been asked for. */
export interface Expectation {
  readonly kind: ValueKind;
  /** Digits it has, where that is known. */
  readonly digits: number | undefined;
}

const KINDS: readonly ValueKind[] = ['spelling', 'email', 'card', 'phone', 'code', 'date'];
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

/** What the assistant's last words, or a tool parameter it is about to ask for, make the caller dictate. */
export function expectedValue(assistantText: string, language: Language): Expectation | undefined {
  const sentence = lastSentences(assistantText);
  const words = wordsOf(sentence);
  const map = cuesOf(language);
  if (!sentence.includes('?') && !map.get('asking')?.within(words)) return undefined;
  const kind = KINDS.find((candidate) => map.get(candidate)?.within(words));
  return kind && { kind, digits: digitsOfKind(kind, sentence, words, language) };
}

// A question often comes with one more sentence ("What's your number? Take your time.").
function lastSentences(text: string): string {
  const sentences = text.match(/[^.?!…。？！]+[.?!…。？！]*/g) ?? [];
  const asking = sentences.findLastIndex((sentence) => /[?？]/.test(sentence));
  return sentences.slice(asking >= 0 ? asking : -2).join('');
}

function digitsOfKind(
  kind: ValueKind,
  sentence: string,
  words: readonly string[],
  language: Language,
): number | undefined {
  const said = /(\d+)[\s-]*(?:digits?|stellige?r?s?|chiffres|dígitos|cifras)/iu.exec(sentence);
  if (said) return Number(said[1]);
  const named = words.findIndex((word) =>
    /^(?:\w+-)?(?:digits?|stellige?[rns]?|chiffres|dígitos|cifras)$/u.test(word),
  );
  if (named >= 0) {
    const number = (words[named] as string).split('-')[0] ?? '';
    const value = smallNumber(number, language) ?? smallNumber(words[named - 1] ?? '', language);
    if (value) return value;
  }
  if (kind === 'phone') return language.data.phoneDigits;
  if (kind === 'card') return 16;
  if (kind === 'code' && /zip|post(?:al|code|leitzahl)/iu.test(sentence)) return 5;
  return undefined;
}

function smallNumber(word: string, language: Language): number | undefined {
  if (/^\d{1,2}$/.test(word)) return Number(word);
  const order = language.data.numbers.filter((entry) => !/^(?:oh|une?|una|ein|zwo)$/.test(entry));
  const index = order.indexOf(word);
  return index > 2 && index <= 16 ? index : undefined;
}

/** Whether the caller, asked for this value, has so far given only a part of it. */
export function isPartialValue(
  expectation: Expectation | undefined,
  text: string,
  language: Language,
): boolean {
  const digits = spokenDigits(text, language);
  // Several groups of digits in a row are dictation, whoever asked for them.
  const grouped = digits.count >= 3 && digits.tailGroups >= 2;
  if (!expectation) return grouped;
  switch (expectation.kind) {
    case 'phone':
    case 'card':
    case 'code':
      if (digits.count === 0) return false;
      return expectation.digits === undefined
        ? digits.endsInNumber
        : digits.count < wanted(expectation.digits, text);
    case 'email':
      return isPartialEmail(text, language);
    case 'date':
      return isPartialDate(text, digits.count, language);
    case 'spelling':
      return wordsOf(text).filter((word) => /^\p{L}$/u.test(word)).length >= 2;
  }
}

// An international prefix and the three digits of a 15-digit card change the count.
function wanted(digits: number, text: string): number {
  const compact = text.replaceAll(/[^\d+]/g, '');
  if (compact.startsWith('+')) return digits + 1;
  if (digits === 16 && /^3[47]/.test(compact)) return 15;
  return digits;
}

function isPartialEmail(text: string, language: Language): boolean {
  const words = wordsOf(text);
  if (/[^\s@]@[^\s@]+\.\p{L}{2,}\W*$/u.test(text)) return false;
  const { emailAt, emailDot } = language.data;
  const at = words.findIndex((word) => word.includes('@') || emailAt.includes(word));
  if (at < 0) return /[\p{L}\d]$/u.test(text.trim()) || words.length > 0;
  const rest = words.slice(at);
  const dot = rest.findLastIndex((word) => emailDot.includes(word) || /\.\p{L}{2,}$/u.test(word));
  return dot < 0 || (emailDot.includes(rest[dot] as string) && dot === rest.length - 1);
}

function isPartialDate(text: string, digits: number, language: Language): boolean {
  const words = wordsOf(text);
  const month = words.some((word) => language.data.months.includes(word));
  if (digits === 0 && !month) return false;
  const hasYear = /\b(?:19|20)\d\d\b/.test(text) || digits >= 6;
  if (hasYear) return false;
  return month ? digits === 0 : digits < 4;
}
