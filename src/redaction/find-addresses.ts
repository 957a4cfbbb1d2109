import type { RedactionLanguage } from './language/languages.ts';
import type { Span } from './span.ts';
import type { Token } from './tokens.ts';

const MAX_TOKENS = 18;
const STREET_WORDS = 4;

/** Postal addresses: a street with its number, and what follows after "I live at". */
export function findAddresses(
  text: string,
  tokens: readonly Token[],
  language: RedactionLanguage,
): readonly Span[] {
  const spans: Span[] = [];
  for (let i = 0; i < tokens.length; ) {
    const cue = language.addressCues.matchAt(tokens, i);
    const from = cue > 0 ? i + cue : i;
    const street = from < tokens.length ? streetAt(text, tokens, from, language) : -1;
    if (street < 0) {
      i += Math.max(1, cue);
      continue;
    }
    const last = restOfAddress(text, tokens, street, language);
    const start = (tokens[from] as Token).start;
    spans.push({ start, end: (tokens[last] as Token).end, label: 'address' });
    i = last + 1;
  }
  return spans;
}

/** Length of a number that is written or spoken at a token, in tokens. */
function numberAt(tokens: readonly Token[], i: number, language: RedactionLanguage): number {
  const token = tokens[i];
  if (!token) return 0;
  if (/^\d{1,6}$/.test(token.word)) {
    // "12b", "12 bis"
    const suffix = tokens[i + 1];
    const isSuffix =
      suffix && (suffix.start === token.end ? /^[a-z]$/ : /^(?:bis|ter)$/).test(suffix.word);
    return isSuffix ? 2 : 1;
  }
  return language.numbers.read(tokens, i)?.length ?? 0;
}

/** Index of the last token of a street with its number that begins at a token; -1 if none does. */
function streetAt(
  text: string,
  tokens: readonly Token[],
  from: number,
  language: RedactionLanguage,
): number {
  const { endings } = language.words.address;
  const number = numberAt(tokens, from, language);
  const after = from + number;
  // "12 rue de la Paix", "calle Mayor 5"
  const kind = after < tokens.length ? language.streetBefore.matchAt(tokens, after) : 0;
  if (kind > 0) {
    const name = nameOfStreet(text, tokens, after + kind, language);
    if (name < 0) return -1;
    if (number > 0) return name;
    const house = houseNumber(tokens, name + 1, language);
    return house > 0 ? name + house : -1;
  }
  // "12 Baker Street", "Hauptstraße 5"
  for (let i = after; i < Math.min(tokens.length, after + STREET_WORDS + 1); i++) {
    const { word } = tokens[i] as Token;
    const isStreet =
      (i > after && language.streetAfter.has(word)) || (endings?.test(word) ?? false);
    if (isStreet) {
      const house = houseNumber(tokens, i + 1, language);
      if (number > 0 && language.streetAfter.has(word)) return i;
      return house > 0 ? i + house : -1;
    }
    if (language.units.matchAt(tokens, i) > 0) return -1;
    if (/[.;!?]/.test(text.slice((tokens[i] as Token).end, tokens[i + 1]?.start ?? 0))) return -1;
    if (number === 0 && (!endings || !/^\p{Lu}/u.test((tokens[i] as Token).text))) return -1;
  }
  return -1;
}

/** Length in tokens of "12" or "number 12". */
function houseNumber(tokens: readonly Token[], from: number, language: RedactionLanguage): number {
  const direct = numberAt(tokens, from, language);
  if (direct > 0) return direct;
  const word = tokens[from]?.word;
  if (word === undefined || !language.addressWithin.has(word)) return 0;
  const later = numberAt(tokens, from + 1, language);
  return later > 0 ? later + 1 : 0;
}

/** Index of the last word of a street's name that begins at a token. */
function nameOfStreet(
  text: string,
  tokens: readonly Token[],
  from: number,
  language: RedactionLanguage,
): number {
  const isWritten = /\p{Lu}/u.test(text.slice(1));
  let last = -1;
  for (let i = from; i < Math.min(tokens.length, from + STREET_WORDS + 2); i++) {
    const token = tokens[i] as Token;
    if (numberAt(tokens, i, language) > 0 && /^\d/.test(token.word)) break;
    if (last >= 0 && language.numbers.read(tokens, i)) break;
    const isParticle = language.addressWithin.has(token.word);
    if (isParticle && last >= 0 && token.word.startsWith('num')) break;
    if (!isParticle) {
      if (isWritten && !/^\p{Lu}/u.test(token.text) && !/^[ld]'/.test(token.word)) break;
      last = i;
    }
    if (/[.,;!?]/.test(text.slice(token.end, tokens[i + 1]?.start ?? token.end))) break;
    if (!isWritten && last >= from + 1) break;
  }
  return last;
}

/** Index of the last token of what follows a street: floor, postal code and town. */
function restOfAddress(
  text: string,
  tokens: readonly Token[],
  street: number,
  language: RedactionLanguage,
): number {
  const isWritten = /\p{Lu}/u.test(text.slice(1));
  let last = street;
  let mayFollow = false;
  for (let i = street + 1; i < Math.min(tokens.length, street + MAX_TOKENS); i++) {
    const token = tokens[i] as Token;
    const gap = text.slice((tokens[i - 1] as Token).end, token.start);
    if (/[.;!?]\s/.test(gap)) break;
    if (language.addressWithin.has(token.word)) {
      mayFollow = true;
      continue;
    }
    const isCode = /^\d{3,6}$/.test(token.word);
    const isNumber = isCode || numberAt(tokens, i, language) > 0;
    // Where the text has no capitals, a town is what follows a postal code or "in".
    const isPlace = isWritten ? /^\p{Lu}/u.test(token.text) : mayFollow;
    if (!isNumber && !isPlace) break;
    mayFollow = isCode;
    last = i;
  }
  return last;
}
