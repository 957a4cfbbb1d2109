import type { RedactionKind, RedactionLabel } from '../contract/redaction.ts';
import { findSpans } from './find-spans.ts';
import { type RedactionLanguage, redactionLanguage } from './language/languages.ts';
import { PhraseSet } from './language/phrase-set.ts';
import { hasNumbers, isNumber } from './number-kinds.ts';
import { type NumberRun, numberRuns, type Unit } from './number-runs.ts';
import { mergeSpans, type Span } from './span.ts';
import { fold, type Token, tokensOf } from './tokens.ts';

export interface TextToAnalyse {
  readonly text: string;
  /** What was said directly before by the same person; nothing of it is reported. */
  readonly prefix?: string;
  /** The question that the text answers. */
  readonly context?: string;
  /** May end in the middle of a number: every number of three digits or more is reported, as `number` if it is nothing yet. */
  readonly unfinished?: boolean;
}

export interface AnalyseTask {
  /** BCP 47 tags of the languages that may be spoken. */
  readonly languages: readonly string[];
  readonly kinds: readonly RedactionKind[];
  readonly words: readonly string[];
  /** What was found before in the same call, as {@link TextFindings.values} gives it: found again wherever it is repeated. */
  readonly known: readonly KnownValue[];
  readonly texts: readonly TextToAnalyse[];
}

/** A number's digits, or the words of a name, folded. */
export interface KnownValue {
  readonly label: RedactionLabel;
  readonly value: string;
}

export interface TextFindings {
  readonly spans: readonly Span[];
  /** The number with which the text ends, of three digits or more, if it is nothing yet: more digits may follow. */
  readonly trailing?: Span;
  readonly values: readonly KnownValue[];
}

const MIN_UNFINISHED_DIGITS = 3;
const MIN_REPEATED_DIGITS = 4;
const MIN_KNOWN_DIGITS = 6;
const MIN_NAME_CHARS = 3;

/** What is to be taken out of texts, what is repeated of it included. */
export function analyseTexts(task: AnalyseTask): readonly TextFindings[] {
  const languages = [...new Set(task.languages.map(redactionLanguage))];
  const found = task.texts.map((text) => findIn(text, task));
  const known = [...task.known, ...found.flatMap(({ values }) => values)];
  const digits = known.filter(({ label }) => isNumber(label));
  const names = known.filter(({ label }) => label === 'name');
  const phrases = new PhraseSet(names.map(({ value }) => value));
  return task.texts.map(({ text, unfinished }, i) => {
    const { spans, values } = found[i] as TextFindings;
    const tokens = tokensOf(text);
    const language = languages[0] as RedactionLanguage;
    const runs = numberRuns(text, language, tokens);
    const all = [
      ...spans,
      ...(digits.length > 0 ? runs.flatMap((run) => repeatedIn(run, digits)) : []),
      ...(names.length > 0 ? namesIn(tokens, phrases) : []),
    ];
    if (!hasNumbers(task.kinds)) return { spans: mergeSpans(all), values };
    const open = runs.filter((run) => digitsOf(run).length >= MIN_UNFINISHED_DIGITS);
    const numbers = unfinished ? open.map(wholeRun) : [];
    const last = open.at(-1);
    const trailing =
      last && last.lastToken >= tokens.length - 2 && !overlaps(wholeRun(last), all)
        ? { trailing: wholeRun(last) }
        : {};
    return { spans: mergeSpans([...all, ...numbers]), values, ...trailing };
  });
}

function findIn(
  { text, prefix = '', context = '' }: TextToAnalyse,
  { languages, kinds, words }: AnalyseTask,
): TextFindings {
  const whole = prefix === '' ? text : `${prefix}\n${text}`;
  const from = whole.length - text.length;
  const spans = mergeSpans(
    languages.flatMap((language) => findSpans(whole, { language, kinds, words, context })),
  );
  const values = spans.flatMap((span) => valuesOf(whole, span, languages));
  const own = spans
    .filter(({ end }) => end > from)
    .map(({ start, end, label }) => ({
      start: Math.max(0, start - from),
      end: end - from,
      label,
    }));
  return { spans: own, values };
}

function valuesOf(
  text: string,
  { start, end, label }: Span,
  languages: readonly string[],
): readonly KnownValue[] {
  const part = text.slice(start, end);
  if (label === 'name') {
    const words = tokensOf(part)
      .map(({ word }) => word)
      .filter((word) => word.length >= MIN_NAME_CHARS);
    return [...new Set([words.join(' '), ...words])]
      .filter((value) => value !== '')
      .map((value) => ({ label, value }));
  }
  if (!isNumber(label)) return [];
  const digits = numberRuns(part, redactionLanguage(languages[0] ?? 'en'))
    .map(digitsOf)
    .join('');
  return digits.length >= MIN_KNOWN_DIGITS ? [{ label, value: digits }] : [];
}

const digitsOf = ({ units }: Pick<NumberRun, 'units'>): string =>
  units
    .map(({ chars }) => chars)
    .join('')
    .replaceAll(/\D/g, '');

const wholeRun = ({ start, units }: NumberRun): Span => ({
  start,
  end: (units.at(-1) as Unit).end,
  label: 'number',
});

const overlaps = (span: Span, others: readonly Span[]): boolean =>
  others.some(({ start, end }) => start < span.end && end > span.start);

/** A run whose digits are a part of a known number, such as its last four, or have one in them. */
function repeatedIn(run: NumberRun, known: readonly KnownValue[]): readonly Span[] {
  const digits = digitsOf(run);
  if (digits.length < MIN_REPEATED_DIGITS) return [];
  const of = known.find(({ value }) => value.includes(digits) || digits.includes(value));
  return of ? [{ ...wholeRun(run), label: of.label }] : [];
}

function namesIn(tokens: readonly Token[], phrases: PhraseSet): readonly Span[] {
  const spans: Span[] = [];
  for (let i = 0; i < tokens.length; ) {
    const length = phrases.matchAt(tokens, i);
    const first = tokens[i] as Token;
    // Many a name is a word as well, which is written small.
    if (length > 1 || (length === 1 && first.text !== fold(first.text)))
      spans.push({ start: first.start, end: (tokens[i + length - 1] as Token).end, label: 'name' });
    i += Math.max(1, length);
  }
  return spans;
}
