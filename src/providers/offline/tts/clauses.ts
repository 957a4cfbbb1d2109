import type { Pause, SpokenWord } from './spoken-text.ts';

/** The unit of synthesis. */
export interface Clause {
  readonly words: readonly SpokenWord[];
  /** Silence between this clause and the next, ms. */
  readonly gapMs: number;
}

// The first clause determines the time to the first audio: about 25 ms of work for 3 s of speech.
const FIRST_CHARS = 60;
const MAX_CHARS = 140;
const MIN_CHARS = 12;

const GAP_MS: Readonly<Record<Pause, number>> = {
  none: 10,
  clause: 140,
  sentence: 320,
  question: 320,
};

// Words before which a speaker may take a breath.
const JOINTS = new Set(
  'and but or because so which that when while if although where until before after for with to'.split(
    ' ',
  ),
);

function charsOf(words: readonly SpokenWord[]): number {
  return words.reduce((sum, word) => sum + word.spoken.length + 1, 0);
}

/** Where to cut a sentence that is too long: after a comma, else before a joint, else at the limit. */
function cutPoint(words: readonly SpokenWord[], limit: number): number {
  let chars = 0;
  let comma = 0;
  let joint = 0;
  let last = 1;
  for (const [i, word] of words.entries()) {
    if (chars >= MIN_CHARS && JOINTS.has(word.spoken)) joint = i;
    chars += word.spoken.length + 1;
    if (chars > limit) break;
    last = i + 1;
    if (chars >= MIN_CHARS && word.pause === 'clause') comma = i + 1;
  }
  return comma || joint || last;
}

function sentencesOf(words: readonly SpokenWord[]): SpokenWord[][] {
  const sentences: SpokenWord[][] = [];
  let sentence: SpokenWord[] = [];
  for (const word of words) {
    sentence.push(word);
    if (word.pause === 'sentence' || word.pause === 'question') {
      sentences.push(sentence);
      sentence = [];
    }
  }
  if (sentence.length > 0) sentences.push(sentence);
  return sentences;
}

/** Cuts a text into clauses that are spoken in sequence, the first one short. */
export function toClauses(words: readonly SpokenWord[]): Clause[] {
  const clauses: Clause[] = [];
  for (const sentence of sentencesOf(words)) {
    for (let rest = sentence; rest.length > 0; ) {
      const limit = clauses.length === 0 ? FIRST_CHARS : MAX_CHARS;
      const length = charsOf(rest) <= limit * 1.2 ? rest.length : cutPoint(rest, limit);
      const part = rest.slice(0, length);
      clauses.push({ words: part, gapMs: GAP_MS[part.at(-1)?.pause ?? 'none'] });
      rest = rest.slice(length);
    }
  }
  return clauses;
}

/** The text of a clause for flite. */
export function clauseText(clause: Clause): string {
  const parts = clause.words.flatMap((word, i) => {
    if (word.spoken === '') return [];
    const inner = word.pause === 'clause' && i < clause.words.length - 1;
    return [inner ? `${word.spoken},` : word.spoken];
  });
  const end = { none: '', clause: ',', sentence: '.', question: '?' }[
    clause.words.at(-1)?.pause ?? 'none'
  ];
  return `${parts.join(' ')}${end}`;
}
