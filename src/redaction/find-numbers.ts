import { type CountryCode, isValidPhoneNumber } from 'libphonenumber-js/max';
import type { RedactionKind } from '../contract/redaction.ts';
import { ibanLength, isCard, isIban, isRoutingNumber } from './checksums.ts';
import { isIdentityNumber } from './identity-numbers.ts';
import type { Cue } from './language/language-words.ts';
import type { RedactionLanguage } from './language/languages.ts';
import { MAX_SIGN_CHARS, type NumberRun, numberRuns, type Unit } from './number-runs.ts';
import type { Span } from './span.ts';
import { type Token, tokensOf } from './tokens.ts';

/** Tokens in which a cue is looked for, before a number and after it. */
const BEFORE = 9;
const AFTER = 5;
const LONGEST_CHARS = 34;
const MIN_PHONE_DIGITS = 7;
const MAX_PHONE_DIGITS = 15;

/** What stood before the text: the question that it answers. */
interface Context {
  readonly tokens: readonly Token[];
}

/** Cards, accounts, identity numbers and telephone numbers, written or spoken. */
export function findNumbers(
  text: string,
  tokens: readonly Token[],
  language: RedactionLanguage,
  context = '',
): readonly Span[] {
  const asked: Context = { tokens: tokensOf(context) };
  const spans: Span[] = [];
  // A cue is about the next number only.
  let used = 0;
  for (const run of numberRuns(text, language, tokens)) {
    const cue = cueOf(tokens, run, language, { asked, used });
    if (isAmount(text, tokens, run, language) && cue !== 'card') continue;
    const found = spansOf(run, cue, language);
    if (found.length > 0) used = run.lastToken + 1;
    spans.push(...found);
  }
  return spans;
}

/** What the words around a number say it is: the nearest before it, else after it, else in the question. */
function cueOf(
  tokens: readonly Token[],
  { firstToken, lastToken }: NumberRun,
  language: RedactionLanguage,
  { asked, used }: { readonly asked: Context; readonly used: number },
): Cue | undefined {
  return (
    lastCue(tokens, Math.max(used, firstToken - BEFORE), firstToken, language) ??
    lastCue(tokens, lastToken + 1, lastToken + 1 + AFTER, language) ??
    lastCue(asked.tokens, 0, asked.tokens.length, language)
  );
}

const CUES: readonly Cue[] = [
  'security-code',
  'card',
  'bank-account',
  'identity-number',
  'phone',
  'other',
];

function lastCue(
  tokens: readonly Token[],
  from: number,
  to: number,
  language: RedactionLanguage,
): Cue | undefined {
  for (let i = Math.min(to, tokens.length) - 1; i >= Math.max(0, from); i--) {
    let best: { readonly cue: Cue; readonly length: number } | undefined;
    for (const cue of CUES) {
      const length = language.cues[cue].matchAt(tokens, i);
      if (length > (best?.length ?? 0) && i + length <= to) best = { cue, length };
    }
    if (best) return best.cue;
  }
  return undefined;
}

/** "25 euros", "three thousand": counts something. */
function isAmount(
  text: string,
  tokens: readonly Token[],
  { lastToken, units }: NumberRun,
  language: RedactionLanguage,
): boolean {
  const next = tokens[lastToken + 1];
  const start = (units[0] as Unit).start;
  const end = (units.at(-1) as Unit).end;
  if (
    /^\s*[€$£¥%]/.test(text.slice(end, end + MAX_SIGN_CHARS)) ||
    /[€$£¥]\s*$/.test(text.slice(Math.max(0, start - MAX_SIGN_CHARS), start))
  )
    return true;
  if (!next) return false;
  return language.magnitudes.has(next.word) || language.units.matchAt(tokens, lastToken + 1) > 0;
}

interface Found extends Span {
  readonly label: RedactionKind;
}

/** The longest numbers of a run that are what they are looked for. */
function spansOf(run: NumberRun, cue: Cue | undefined, language: RedactionLanguage): Span[] {
  const { units } = run;
  const found: Found[] = [];
  for (let first = 0; first < units.length; ) {
    const window = longestAt(run, first, cue, language);
    if (window) found.push(window.span);
    first = window ? window.next : first + 1;
  }
  return found;
}

function longestAt(
  run: NumberRun,
  first: number,
  cue: Cue | undefined,
  language: RedactionLanguage,
) {
  const { units } = run;
  const windows: { chars: string; last: number }[] = [];
  let chars = '';
  for (let last = first; last < units.length; last++) {
    chars += (units[last] as Unit).chars;
    if (chars.length > LONGEST_CHARS) break;
    windows.push({ chars, last });
  }
  for (const { chars, last } of windows.toReversed()) {
    const isFirst = first === 0;
    const isWhole = isFirst && last === units.length - 1;
    const lengths = units.slice(first, last + 1).map((unit) => unit.chars.length);
    const label = classify(
      { chars, lengths, isFirst, isWhole, hasPlus: isFirst && run.hasPlus },
      cue,
      language,
    );
    if (!label) continue;
    const start = isFirst ? run.start : (units[first] as Unit).start;
    return { span: { start, end: (units[last] as Unit).end, label }, next: last + 1 };
  }
  return undefined;
}

interface Candidate {
  readonly chars: string;
  /** Of its groups. */
  readonly lengths: readonly number[];
  readonly isFirst: boolean;
  readonly isWhole: boolean;
  readonly hasPlus: boolean;
}

function classify(
  candidate: Candidate,
  cue: Cue | undefined,
  language: RedactionLanguage,
): RedactionKind | undefined {
  const { chars, lengths, isWhole } = candidate;
  const isDigits = /^\d+$/.test(chars);
  if (isDigits && isCard(chars)) return 'card';
  if (ibanLength(chars.slice(0, 2)) === chars.length && isIban(chars)) return 'bank-account';
  const identity = isIdentityNumber(chars, {
    isExpected: cue === 'identity-number',
    language: language.words.countries[0] ?? 'US',
    lengths,
  });
  if (identity && cue !== 'other') return 'identity-number';
  if (!isWhole && !isDigits) return undefined;
  switch (cue) {
    case 'security-code':
      return isDigits && (chars.length === 3 || chars.length === 4) ? 'card' : undefined;
    case 'card':
      return isDigits && chars.length >= 12 && chars.length <= 19 ? 'card' : undefined;
    case 'bank-account':
      if (isDigits && chars.length === 9 && isRoutingNumber(chars)) return 'bank-account';
      return isWhole && digitsIn(chars) >= 5 && chars.length <= 34 ? 'bank-account' : undefined;
    case 'identity-number':
      return isWhole && digitsIn(chars) >= 5 && chars.length <= 20 ? 'identity-number' : undefined;
    case 'other':
      return undefined;
    default:
      return isPhone(candidate, cue === 'phone', language) ? 'phone' : undefined;
  }
}

const digitsIn = (chars: string): number => chars.replaceAll(/\D/g, '').length;

function isPhone(
  { chars, isWhole, isFirst, hasPlus, lengths }: Candidate,
  isExpected: boolean,
  language: RedactionLanguage,
): boolean {
  if (!/^\d+$/.test(chars) || chars.length > MAX_PHONE_DIGITS) return false;
  if (isExpected && isWhole && chars.length >= MIN_PHONE_DIGITS - 1) return true;
  if (chars.length < MIN_PHONE_DIGITS || !(isWhole || isFirst)) return false;
  if (hasPlus) return isValidPhoneNumber(`+${chars}`);
  if (!isExpected && (chars.length < 9 || lengths.length < 2) && !/^0/.test(chars)) return false;
  if (/^00[1-9]/.test(chars) && isValidPhoneNumber(`+${chars.slice(2)}`)) return true;
  return language.words.countries.some((country) =>
    isValidPhoneNumber(chars, country as CountryCode),
  );
}
