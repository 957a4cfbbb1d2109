import { wordsOf } from '../language/words.ts';
import type { PlayedWord } from '../state/transcript.ts';

export interface EchoInput {
  readonly text: string;
  readonly startAt: number;
  readonly played: readonly PlayedWord[];
}

const LEAST_SHARE = 0.7;
/**
 * An echo of several words begins at most this long after the first of them, however late the recogniser puts it. Who
 * answers in the words of a question begins after the whole of it.
 */
const PHRASE_LAG_MS = 1200;
/** An echo starts within this range around the word that it repeats. */
const ECHO_LAG_MS = { from: -150, to: 500 } as const;

/** C9: whether a recognised text is an echo of the assistant's own voice. */
export function isEcho({ text, startAt, played }: EchoInput): boolean {
  const words = wordsOf(text);
  if (words.length === 0) return false;
  if (words.length >= 3) {
    const phrase = played.filter(({ at, marginMs }) => startAt - at <= PHRASE_LAG_MS + marginMs);
    return commonInOrder(words, phrase) / words.length >= LEAST_SHARE;
  }
  // The caller may repeat one or two of the assistant's words, so these are an echo only at the right time.
  return played.some(
    ({ at, marginMs }, i) =>
      words.every((word, n) => played[i + n]?.word === word) &&
      startAt - at >= ECHO_LAG_MS.from - marginMs &&
      startAt - at <= ECHO_LAG_MS.to + marginMs,
  );
}

/** Length of the longest common subsequence of words. */
function commonInOrder(words: readonly string[], played: readonly PlayedWord[]): number {
  // For each word played: how many were found up to it.
  const found = played.map(() => 0);
  let most = 0;
  for (const word of words) {
    let before = 0;
    most = 0;
    for (const [i, earlier] of found.entries()) {
      most = played[i]?.word === word ? before + 1 : Math.max(earlier, most);
      found[i] = most;
      before = earlier;
    }
  }
  return most;
}
