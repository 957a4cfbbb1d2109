import { cpuMsOf } from '../support/cpu-time.ts';
import { isLong } from '../support/effort.ts';

/** Kinds of characters that patterns ask for, beside those that they name. */
const COMMON = ['a', 'A', '0', ' ', '\n', '.', '-', '/', '_', 'é', '中', '"', "'", ','];
/** The first ones tell the exponential, the last ones the square. */
const LENGTHS = [20, 24, 28, 32, 40, 60, 100, 400, 4000, 12_000, 32_000];
/** What no pattern expects: whoever looks back does so here. */
const ENDS = ['\u0000', ''];
const MAX_PAIRED = 6;
/** In CPU time; work that grows with the text takes a hundredth of it at the longest, on a machine that is no slower. */
const SLOW_MS = 20;
/** On half the text, work that grows with the text takes half as long, and work that grows with its square a quarter. */
const SQUARE = 3;
/** What is slow is measured so often again. */
const AGAIN = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** The characters a pattern names. */
function named(source: string): string[] {
  const plain = source
    .replaceAll(
      /\\[pP]\{[^}]*\}|\\u\{?[0-9a-fA-F]+\}?|\\[bBdDsSwWnrtkx]|\(\?<?[:=!]|\{\d+,?\d*\}/g,
      '',
    )
    .replaceAll('\\', '');
  return [...new Set(plain)];
}

/** The plain text that a pattern begins with, where it does. */
function startOf({ source }: RegExp): string {
  const start = /^\^?((?:[\w<>"' :=@#!-]|\\[/.*()[\]{}-])+)/.exec(source)?.[1] ?? '';
  return start.replaceAll('\\', '');
}

/**
 * What a pattern is made to repeat: its start, characters that it names or that are common, and in the long run pairs of
 * those it names.
 */
function unitsOf(pattern: RegExp): string[] {
  const own = named(pattern.source);
  const start = startOf(pattern);
  const singles = [...new Set([...(start ? [start] : []), ...own, ...COMMON])];
  if (!isLong) return singles;
  const few = [...new Set([...own.slice(0, MAX_PAIRED), ' ', 'a', '0'])];
  const pairs = few.flatMap((one) => few.flatMap((other) => (one === other ? [] : [one + other])));
  return [...singles, ...pairs];
}

const use = (pattern: RegExp, text: string) =>
  text.replaceAll(pattern.global ? pattern : new RegExp(pattern.source, `${pattern.flags}g`), '');

/** The shortest text found on which a pattern is slow, at most `maxChars` long; undefined: none was found. */
export function slowText(
  pattern: RegExp,
  maxChars = Number.POSITIVE_INFINITY,
  slowMs = SLOW_MS,
): { readonly unit: string; readonly chars: number; readonly ms: number } | undefined {
  const lengths = LENGTHS.filter((chars) => chars <= maxChars);
  if (maxChars < Number.POSITIVE_INFINITY) lengths.push(maxChars);
  for (const start of new Set(['', startOf(pattern)]))
    for (const unit of unitsOf(pattern))
      for (const end of ENDS)
        for (const chars of lengths) {
          const measure = (length: number) => {
            const text = `${start}${unit.repeat(length / unit.length)}${end}`;
            return cpuMsOf(() => use(pattern, text));
          };
          let ms = measure(chars);
          if (ms <= slowMs) continue;
          // It may have been a collection of memory, or a machine that was slow for a moment.
          ms = Math.min(ms, ...AGAIN.map(() => measure(chars)));
          if (ms > slowMs && ms > SQUARE * Math.min(...AGAIN.map(() => measure(chars / 2))))
            return { unit: `${start}…${unit}…${end}`, chars, ms: Math.round(ms) };
        }
  return undefined;
}
