import { PAUSE, type Phone } from './phones.ts';

export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

const VOWEL = /^[aeiou]/;

function mismatch(a: string, b: string): number {
  if (a === b) return 0;
  return VOWEL.test(a) === VOWEL.test(b) ? 0.6 : 1.5;
}

interface Expected {
  readonly phone: string;
  readonly word: number;
}

/** For each heard phone, the word of the expected phone it matches; -1 for an extra phone. */
function matchPhones(heard: readonly Phone[], expected: readonly Expected[]): Int32Array {
  const rows = heard.length + 1;
  const columns = expected.length + 1;
  const cost = new Float32Array(rows * columns);
  for (let i = 1; i < rows; i++) cost[i * columns] = i;
  for (let j = 1; j < columns; j++) cost[j] = j;
  const at = (i: number, j: number): number => cost[i * columns + j] as number;
  const substitution = (i: number, j: number): number =>
    at(i - 1, j - 1) + mismatch((heard[i - 1] as Phone).name, (expected[j - 1] as Expected).phone);
  for (let i = 1; i < rows; i++) {
    for (let j = 1; j < columns; j++)
      cost[i * columns + j] = Math.min(substitution(i, j), at(i - 1, j) + 1, at(i, j - 1) + 1);
  }
  const words = new Int32Array(heard.length).fill(-1);
  let i = rows - 1;
  let j = columns - 1;
  while (i > 0 && j > 0) {
    // The table holds 32-bit floats of sums computed with 64 bits.
    if (Math.abs(at(i, j) - substitution(i, j)) < 1e-3) {
      words[--i] = (expected[--j] as Expected).word;
    } else if (Math.abs(at(i, j) - at(i - 1, j) - 1) < 1e-3) {
      i--;
    } else {
      j--;
    }
  }
  return words;
}

/**
 * Computes when each word was spoken. `wordPhones` holds each word's phones in isolation; in an utterance phones
 * change, vanish and appear, so both sequences are aligned as a whole. A word without phones gets an empty span at
 * the end of the word before it.
 */
export function alignWords(
  phones: readonly Phone[],
  wordPhones: readonly (readonly string[])[],
): Span[] {
  const heard = phones.filter((phone) => phone.name !== PAUSE);
  const expected = wordPhones.flatMap((names, word) => names.map((phone) => ({ phone, word })));
  const owners = matchPhones(heard, expected);
  const spans: ({ startMs: number; endMs: number } | undefined)[] = wordPhones.map(() => undefined);
  let word = -1;
  for (const [i, phone] of heard.entries()) {
    // An extra phone belongs to the word before it.
    const owner = owners[i] as number;
    word = owner >= 0 ? owner : Math.max(word, 0);
    const span = spans[word];
    if (span) span.endMs = phone.endMs;
    else if (word < spans.length) spans[word] = { startMs: phone.startMs, endMs: phone.endMs };
  }
  let endMs = heard[0]?.startMs ?? 0;
  return spans.map((span) => {
    const placed = span ?? { startMs: endMs, endMs };
    endMs = placed.endMs;
    return placed;
  });
}
