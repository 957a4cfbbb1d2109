import type { RedactionLanguage } from './language/languages.ts';
import type { Span } from './span.ts';
import { lastTokenBefore, type Token, tokensOf } from './tokens.ts';

/** Tokens in which a word of birth is looked for, before a date and after it. */
const REACH = 10;
const WRITTEN =
  /\b(?:\d{4}[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])\s?[-/.]\s?(?:0?[1-9]|[12]\d|3[01])\s?[-/.]\s?(?:(?:19|20)?\d\d))\b/g;
const MAX_DATE_TOKENS = 8;

/** Dates of birth: dates beside a word of birth, or in answer to a question with one. */
export function findBirthDates(
  text: string,
  tokens: readonly Token[],
  language: RedactionLanguage,
  context = '',
): readonly Span[] {
  const isAsked = hasBirth(tokensOf(context), 0, Number.POSITIVE_INFINITY, language);
  return datesOf(text, tokens, language).filter(({ start, end }) => {
    const first = lastTokenBefore(tokens, start) + 1;
    const last = lastTokenBefore(tokens, end);
    return isAsked || hasBirth(tokens, first - REACH, last + REACH, language);
  });
}

function hasBirth(
  tokens: readonly Token[],
  from: number,
  to: number,
  language: RedactionLanguage,
): boolean {
  for (let i = Math.max(0, from); i < Math.min(tokens.length, to); i++)
    if (language.birth.matchAt(tokens, i) > 0) return true;
  return false;
}

function datesOf(text: string, tokens: readonly Token[], language: RedactionLanguage): Span[] {
  const written = Array.from(text.matchAll(WRITTEN), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    label: 'date-of-birth' as const,
  }));
  const spoken: Span[] = [];
  for (const [i, token] of tokens.entries()) {
    if (!language.months.has(token.word)) continue;
    const first = extend(tokens, i, -1, language);
    const last = extend(tokens, i, 1, language);
    // "May" alone is no date.
    if (first === last) continue;
    const start = (tokens[first] as Token).start;
    spoken.push({ start, end: (tokens[last] as Token).end, label: 'date-of-birth' });
  }
  return [...written, ...spoken];
}

/** How far day and year reach from the month's name, without prepositions at the edge. */
function extend(
  tokens: readonly Token[],
  month: number,
  step: 1 | -1,
  language: RedactionLanguage,
): number {
  let edge = month;
  for (let i = month + step; Math.abs(i - month) <= MAX_DATE_TOKENS; i += step) {
    const token = tokens[i];
    if (!token) break;
    if (isDateNumber(tokens, i, language)) edge = i;
    else if (!language.datePrepositions.has(token.word)) break;
  }
  return edge;
}

function isDateNumber(tokens: readonly Token[], i: number, language: RedactionLanguage): boolean {
  const { word } = tokens[i] as Token;
  if (/^\d{1,4}$/.test(word)) return true;
  return language.words.dateNumbers.test(word) || language.numbers.knows(word);
}
