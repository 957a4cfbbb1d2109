import { RE2JS } from 're2js';
import { boundedMemo } from '../lib/bounded-memo.ts';

/** Longer texts are matched by their beginning. */
const MAX_CHARS = 20_000;

const compiled = boundedMemo(1000, (pattern: string) =>
  RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE),
);

/** True if the text has a match, whatever its case. Takes time in proportion to the text. The pattern was parsed before. */
export function matchesPattern(pattern: string, text: string): boolean {
  return compiled(pattern).matcher(text.slice(0, MAX_CHARS)).find();
}
