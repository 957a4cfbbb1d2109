import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A question, and texts of which any is in a passage that answers it; none: nothing answers it. */
export interface Question {
  readonly ask: string;
  readonly expected: readonly string[];
}

type Kind = 'close' | 'reworded' | 'typos' | 'other' | 'unanswerable';
export type Questions = Readonly<Record<Kind, readonly Question[]>>;

interface Stored {
  readonly close: readonly (readonly string[])[];
  readonly reworded: readonly (readonly string[])[];
  readonly other: readonly (readonly string[])[];
  readonly unanswerable: readonly string[];
}

/** The half that the search was tuned on, or the one that was never looked at meanwhile. */
export function readQuestions(half: 'tuning' | 'hidden', random: () => number): Questions {
  const file = join(import.meta.dirname, 'questions.json');
  const stored = (JSON.parse(readFileSync(file, 'utf8')) as Record<typeof half, Stored>)[half];
  const toQuestion = ([ask = '', ...expected]: readonly string[]): Question => ({ ask, expected });
  const close = stored.close.map(toQuestion);
  return {
    close,
    reworded: stored.reworded.map(toQuestion),
    typos: [...close, ...close].map(({ ask, expected }) => ({
      ask: withSlips(ask, random),
      expected,
    })),
    other: stored.other.map(toQuestion),
    unanswerable: stored.unanswerable.map((ask) => ({ ask, expected: [] })),
  };
}

export function isAnswer(text: string, { expected }: Question): boolean {
  const plain = text.replace(/[‘’]/g, "'").replace(/\s+/g, ' ');
  return expected.some((it) => plain.includes(it));
}

const SLIPS = 2;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** A letter left out, added, changed or swapped in two of the longer words. */
function withSlips(ask: string, random: () => number): string {
  const words = ask.split(' ');
  const long = words.flatMap((word, i) => (/^[a-z]{5,}\??$/i.test(word) ? [i] : []));
  for (let slip = 0; slip < SLIPS && long.length > 0; slip++) {
    const [i = 0] = long.splice(Math.floor(random() * long.length), 1);
    const word = words[i] as string;
    const at = 1 + Math.floor(random() * (word.replace('?', '').length - 2));
    const letter = LETTERS[Math.floor(random() * LETTERS.length)] as string;
    const [before, own, after] = [word.slice(0, at), word[at] as string, word.slice(at + 1)];
    const ways = [
      before + after,
      before + letter + own + after,
      before + letter + after,
      before + after.slice(0, 1) + own + after.slice(1),
    ];
    words[i] = ways[Math.floor(random() * ways.length)] as string;
  }
  return words.join(' ');
}
