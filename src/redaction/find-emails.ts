import type { RedactionLanguage } from './language/languages.ts';
import type { PhraseSet } from './language/phrase-set.ts';
import type { Span } from './span.ts';
import type { Token } from './tokens.ts';

const MAX_LOCAL = 64;
const FIRST = /[\p{L}\p{N}]/u;
const LOCAL = /[\p{L}\p{N}._%+-]/u;
const DOMAIN = /(?:[\p{L}\p{N}-]{1,63}\.){1,5}\p{L}{2,24}/uy;
const MAX_LOCAL_TOKENS = 24;
const MAX_DOMAIN_TOKENS = 10;
const TOP_LEVEL =
  /^(?:com|net|org|edu|gov|info|io|co|uk|eu|us|es|mx|ar|fr|be|de|at|ch|it|pt|nl|ca|au|ie|biz|app|dev|me|tv|example|test|invalid|online|email|cat)$/;

/** E-mail addresses, written or spoken: "ana punto ruiz arroba ejemplo punto es". */
export function findEmails(
  text: string,
  tokens: readonly Token[],
  language: RedactionLanguage,
): readonly Span[] {
  const spans: Span[] = findWritten(text);
  for (let i = 1; i < tokens.length; i++) {
    const length = language.at.matchAt(tokens, i);
    if (length === 0) continue;
    const last = domainEnd(text, tokens, i + length, language);
    if (last < 0) continue;
    const first = localStart(tokens, i - 1, language);
    spans.push({
      start: (tokens[first] as Token).start,
      end: (tokens[last] as Token).end,
      label: 'email',
    });
    i = last;
  }
  return spans;
}

/** From each "@" both ways: a pattern for the whole would look for one from every letter of a long text. */
function findWritten(text: string): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const lowest = Math.max(spans.at(-1)?.end ?? 0, at - MAX_LOCAL);
    let start = at;
    while (start > lowest && LOCAL.test(text.charAt(start - 1))) start--;
    while (start < at && !FIRST.test(text.charAt(start))) start++;
    DOMAIN.lastIndex = at + 1;
    if (start < at && DOMAIN.test(text))
      spans.push({ start, end: DOMAIN.lastIndex, label: 'email' });
  }
  return spans;
}

/** Index of the domain's last token; -1 if no domain begins at the token. */
function domainEnd(
  text: string,
  tokens: readonly Token[],
  from: number,
  language: RedactionLanguage,
): number {
  let last = -1;
  for (let i = from; i < Math.min(tokens.length, from + MAX_DOMAIN_TOKENS); ) {
    const token = tokens[i] as Token;
    const dot = language.dot.matchAt(tokens, i);
    const isWrittenDot = i > from && text.slice((tokens[i - 1] as Token).end, token.start) === '.';
    const at = isWrittenDot ? i : i + dot;
    if ((dot > 0 && i > from) || isWrittenDot) {
      const ending = tokens[at];
      if (ending && TOP_LEVEL.test(ending.word)) last = at;
      // "dot co dot uk", or a name of several parts.
      i = at + 1;
    } else if (last >= 0) break;
    else i++;
  }
  return last;
}

/** Index of the first token of the part before "at". */
function localStart(tokens: readonly Token[], last: number, language: RedactionLanguage): number {
  let first = last;
  const least = Math.max(0, last - MAX_LOCAL_TOKENS);
  while (first > least) {
    const sign = signBefore(tokens, first - 1, [language.dot, language.signs]);
    if (sign > 0) {
      first = sign - 1;
      continue;
    }
    const before = tokens[first - 1] as Token;
    // What stands after "my e-mail is" belongs to the address.
    if (language.emailCues.matchBefore(tokens, first - 1, 2) >= 0) break;
    const isSpelled = before.text.length === 1 || /^\d+$/.test(before.text);
    if (isSpelled || language.numbers.read(tokens, first - 1)) first--;
    else if (hasCue(tokens, first - 1, language)) first--;
    else break;
  }
  return first;
}

/** Index at which a sign's words begin that end at a token; -1 if none do, or nothing is before them. */
function signBefore(tokens: readonly Token[], last: number, signs: readonly PhraseSet[]): number {
  for (const sign of signs) {
    const from = sign.matchBefore(tokens, last, 2);
    if (from > 0) return from;
  }
  return -1;
}

const CUE_REACH = 4;

/** True if "is", "address" or the like stands a few words before. */
function hasCue(tokens: readonly Token[], i: number, language: RedactionLanguage): boolean {
  for (let k = i - 1; k >= Math.max(0, i - CUE_REACH); k--)
    if (language.emailCues.matchBefore(tokens, k, 2) >= 0) return true;
  return false;
}
