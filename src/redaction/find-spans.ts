import type { RedactionKind } from '../contract/redaction.ts';
import { findAddresses } from './find-addresses.ts';
import { findBirthDates } from './find-dates.ts';
import { findEmails } from './find-emails.ts';
import { findNames } from './find-names.ts';
import { findNumbers } from './find-numbers.ts';
import { redactionLanguage } from './language/languages.ts';
import { PhraseSet } from './language/phrase-set.ts';
import { mergeSpans, type Span } from './span.ts';
import { type Token, tokensOf } from './tokens.ts';

export interface FindOptions {
  /** BCP 47 tag of the language that is spoken. */
  readonly language: string;
  readonly kinds: readonly RedactionKind[];
  /** The owner's own words. */
  readonly words?: readonly string[];
  /** The question that the text answers, if one was asked. */
  readonly context?: string;
}

/**
 * What is to be taken out of a text, in order of place and without overlaps. Takes time in proportion to the text.
 */
export function findSpans(
  text: string,
  { language: tag, kinds, words = [], context = '' }: FindOptions,
): readonly Span[] {
  const language = redactionLanguage(tag);
  const tokens = tokensOf(text);
  const wanted = new Set<string>(kinds);
  const spans: Span[] = [];
  // An address may hold what looks like a name or a number: the larger is looked for first.
  if (wanted.has('email')) spans.push(...findEmails(text, tokens, language));
  if (wanted.has('date-of-birth')) spans.push(...findBirthDates(text, tokens, language, context));
  spans.push(
    ...findNumbers(text, tokens, language, context).filter(({ label }) => wanted.has(label)),
  );
  if (wanted.has('address')) spans.push(...findAddresses(text, tokens, language));
  if (wanted.has('name')) spans.push(...findNames(text, tokens, language, context));
  if (wanted.has('health')) spans.push(...phrasesIn(tokens, language.health, 'health'));
  if (words.length > 0) spans.push(...phrasesIn(tokens, new PhraseSet(words), 'word'));
  return mergeSpans(spans);
}

function phrasesIn(tokens: readonly Token[], phrases: PhraseSet, label: 'health' | 'word'): Span[] {
  const spans: Span[] = [];
  for (let i = 0; i < tokens.length; ) {
    const length = phrases.matchAt(tokens, i);
    if (length > 0) {
      const start = (tokens[i] as Token).start;
      spans.push({ start, end: (tokens[i + length - 1] as Token).end, label });
    }
    i += Math.max(1, length);
  }
  return spans;
}
