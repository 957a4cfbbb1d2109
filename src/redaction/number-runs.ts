import type { RedactionLanguage } from './language/languages.ts';
import { type Token, tokensOf } from './tokens.ts';

/** Digits or letters that were said or written together. */
export interface Unit {
  /** Digits and capitals. */
  readonly chars: string;
  readonly start: number;
  readonly end: number;
}

/** Units that follow each other with nothing between them but separators: one number, or several. */
export interface NumberRun {
  readonly units: readonly Unit[];
  /** Begins with a plus sign, or the word. */
  readonly hasPlus: boolean;
  readonly start: number;
  /** Indexes of the tokens around it. */
  readonly firstToken: number;
  readonly lastToken: number;
}

const BREAKS = /[€$£¥%@&=<>|]/;
const MAX_UNITS = 64;
const MAX_FILLERS = 2;
/** How far before a number its sign is looked for: in the whole of what is before, that would be done for each number. */
export const MAX_SIGN_CHARS = 8;

/** Finds the numbers and codes of a text, dictated ones too: "four one double five", "GB29 NWBK", "B 12 34". */
export function numberRuns(
  text: string,
  language: RedactionLanguage,
  tokens: readonly Token[] = tokensOf(text),
): readonly NumberRun[] {
  const runs: NumberRun[] = [];
  let i = 0;
  while (i < tokens.length) {
    const run = runAt(text, tokens, i, language);
    if (run) runs.push(run);
    i = run ? run.lastToken + 1 : i + 1;
  }
  return runs;
}

function runAt(
  text: string,
  tokens: readonly Token[],
  from: number,
  language: RedactionLanguage,
): NumberRun | undefined {
  const units: Unit[] = [];
  let i = from;
  let lastToken = from;
  let spokenPlus = false;
  if (language.plus.has((tokens[from] as Token).word)) {
    spokenPlus = true;
    i++;
  }
  let fillers = 0;
  while (i < tokens.length && units.length < MAX_UNITS) {
    const token = tokens[i] as Token;
    if (i > from && BREAKS.test(text.slice((tokens[i - 1] as Token).end, token.start))) break;
    const unit = unitAt(tokens, i, language, { text, units });
    if (unit) {
      units.push(unit.unit);
      i += unit.length;
      lastToken = i - 1;
      fillers = 0;
      continue;
    }
    if (units.length === 0 || !language.fillers.has(token.word) || ++fillers > MAX_FILLERS) break;
    i++;
  }
  const first = units[0];
  if (!first || !units.some(({ chars }) => /\d/.test(chars))) return undefined;
  const near = Math.max(0, first.start - MAX_SIGN_CHARS);
  const sign = /\+[\s(]*$/.exec(text.slice(near, first.start));
  const hasPlus = spokenPlus || sign !== null;
  const start = sign ? near + sign.index : (tokens[from] as Token).start;
  return { units, hasPlus, start, firstToken: from, lastToken };
}

function unitAt(
  tokens: readonly Token[],
  i: number,
  language: RedactionLanguage,
  { text, units }: { readonly text: string; readonly units: readonly Unit[] },
): { readonly unit: Unit; readonly length: number } | undefined {
  const token = tokens[i] as Token;
  const { start } = token;
  if (/^\d/.test(token.text))
    return { unit: { chars: token.text, start, end: token.end }, length: 1 };
  const times = language.repeats.get(token.word);
  if (times !== undefined) {
    const next = tokens[i + 1];
    const digit = next && digitsAt(tokens, i + 1, language);
    if (digit && digit.digits.length === 1) {
      const end = (tokens[i + digit.length] as Token).end;
      return { unit: { chars: digit.digits.repeat(times), start, end }, length: digit.length + 1 };
    }
  }
  const number = language.numbers.read(tokens, i);
  if (number) {
    const end = (tokens[i + number.length - 1] as Token).end;
    return { unit: { chars: number.digits, start, end }, length: number.length };
  }
  // "IBAN" and "CVV" say what follows.
  if (Object.values(language.cues).some((cue) => cue.matchAt(tokens, i) > 0)) return undefined;
  const isLetters =
    token.text.length === 1 ? isLetter(text, tokens, i, language) : isCode(text, token, units);
  if (!isLetters) return undefined;
  return { unit: { chars: token.text.toUpperCase(), start, end: token.end }, length: 1 };
}

function digitsAt(tokens: readonly Token[], i: number, language: RedactionLanguage) {
  const { text } = tokens[i] as Token;
  return /^\d$/.test(text) ? { digits: text, length: 1 } : language.numbers.read(tokens, i);
}

/** A spelled letter, rather than one of the words that are a letter long: "y", "e", "a". */
function isLetter(
  text: string,
  tokens: readonly Token[],
  i: number,
  language: RedactionLanguage,
): boolean {
  const token = tokens[i] as Token;
  if (touchesDigit(text, token) || /\p{Lu}/u.test(token.text)) return true;
  return !language.fillers.has(token.word) || tokens[i + 1]?.text.length === 1;
}

/** Letters of a code such as an IBAN's. A recogniser may write them small. */
function isCode(text: string, token: Token, units: readonly Unit[]): boolean {
  if (/^[A-Z]{2,6}$/.test(token.text)) return true;
  if (!/^[a-z]{2,4}$/.test(token.text)) return false;
  return (
    touchesDigit(text, token) ||
    (token.text.length === 4 &&
      units[0]?.chars.length === 2 &&
      /^[A-Z]/.test(units[0].chars) &&
      /^\s*\d/.test(text.slice(token.end)))
  );
}

const touchesDigit = (text: string, { start, end }: Token): boolean =>
  /\d/.test(text.charAt(start - 1)) || /\d/.test(text.charAt(end));
