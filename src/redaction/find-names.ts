import type { RedactionLanguage } from './language/languages.ts';
import type { Span } from './span.ts';
import { type Token, tokensOf } from './tokens.ts';

const MAX_NAME_TOKENS = 4;

/** Names: after "my name is" and its like, after "Mrs", or in answer to a question for one. */
export function findNames(
  text: string,
  tokens: readonly Token[],
  language: RedactionLanguage,
  context = '',
): readonly Span[] {
  const spans: Span[] = [];
  const add = (from: number, how: Cased): number => {
    const last = nameEnd(text, tokens, from, language, how);
    if (last < from) return from;
    const start = (tokens[from] as Token).start;
    spans.push({ start, end: (tokens[last] as Token).end, label: 'name' });
    return last + 1;
  };
  for (let i = 0; i < tokens.length; ) {
    const cue = language.nameCues.matchAt(tokens, i);
    const next = i + cue;
    if (cue > 0 && next < tokens.length && !breaksBetween(text, tokens, next - 1)) {
      const skipped = skipTitle(tokens, next, language);
      // "I am Ana" names somebody, "I am late" does not: only capitals tell where the cue is weak.
      const isWeak = language.weakNameCues.matchAt(tokens, i) === cue;
      const how = isWeak && skipped === next ? 'capital' : 'any';
      i = Math.max(add(skipped, how), i + 1);
    } else if (language.honorifics.has((tokens[i] as Token).word) && i + 1 < tokens.length) {
      const how = language.sureHonorifics.has((tokens[i] as Token).word) ? 'any' : 'capital';
      i = Math.max(add(skipTitle(tokens, i + 1, language), how), i + 1);
    } else i++;
  }
  if (
    spans.length === 0 &&
    tokens.length > 0 &&
    tokens.length <= 6 &&
    asksName(context, language)
  ) {
    const first = tokens.findIndex(({ word }) => !language.notNames.has(word));
    if (first >= 0) add(first, 'any');
  }
  return spans;
}

type Cased = 'any' | 'capital';

const NAME_QUESTION =
  /\b(?:your (?:full |first |last )?(?:name|surname)|su (?:nombre|apellidos?)|como se llama|votre (?:nom|prenom)|vous appelez-vous|ihr(?:en)? (?:vor|nach)?name|wie heissen sie)\b/;

function asksName(context: string, { words: _ }: RedactionLanguage): boolean {
  const asked = tokensOf(context)
    .map(({ word }) => word)
    .join(' ');
  return NAME_QUESTION.test(asked.replaceAll('appelez vous', 'appelez-vous'));
}

function skipTitle(tokens: readonly Token[], from: number, language: RedactionLanguage): number {
  let i = from;
  while (i < tokens.length - 1 && language.honorifics.has((tokens[i] as Token).word)) i++;
  return i;
}

/** A full stop or a comma between a token and the next. */
const breaksBetween = (text: string, tokens: readonly Token[], i: number): boolean => {
  const [here, next] = [tokens[i], tokens[i + 1]];
  if (!here || !next) return true;
  const gap = text.slice(here.end, next.start);
  return /[,;:!?()"]/.test(gap) || (gap.includes('.') && here.text.length > 4);
};

/** Index of the name's last token; less than `from` if no name begins there. */
function nameEnd(
  text: string,
  tokens: readonly Token[],
  from: number,
  language: RedactionLanguage,
  how: Cased,
): number {
  const isWritten = /\p{Lu}/u.test(text.slice(1));
  let last = from - 1;
  for (let i = from; i < Math.min(tokens.length, from + MAX_NAME_TOKENS); i++) {
    const { word, text: written } = tokens[i] as Token;
    if (i > from && breaksBetween(text, tokens, i - 1)) break;
    const isCapital = /^\p{Lu}/u.test(written);
    const isParticle = i > from && language.nameParticles.has(word);
    if (isParticle && i + 1 < tokens.length) continue;
    if (language.notNames.has(word) || /^\d/.test(word)) break;
    // Where the text has capitals at all, a name has one; a recogniser may write none.
    if (how === 'capital' ? !isCapital : isWritten && !isCapital) break;
    if (!isWritten && i > from + 1) break;
    last = i;
  }
  return last;
}
