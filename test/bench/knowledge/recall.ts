import { ANSWER_SCORE } from '../../../src/contract/knowledge-base.ts';
import { quantiles } from '../quantiles.ts';
import type { CorpusPassage } from './corpus.ts';
import type { Engine } from './engines.ts';
import { isAnswer, type Question } from './questions.ts';

export interface Recall {
  /** Questions whose answer is the first passage, and among the first five. */
  readonly first: number;
  readonly five: number;
  readonly tookMs: readonly number[];
}

export async function recall(
  { find }: Engine,
  corpus: readonly CorpusPassage[],
  questions: readonly Question[],
): Promise<Recall> {
  let first = 0;
  let five = 0;
  const tookMs: number[] = [];
  for (const question of questions) {
    const at = performance.now();
    const found = await find(question.ask);
    tookMs.push(performance.now() - at);
    const rank = found.findIndex(({ place }) => isAnswer(corpus[place]?.text ?? '', question));
    if (rank === 0) first++;
    if (rank >= 0 && rank < 5) five++;
  }
  return { first, five, tookMs };
}

export interface Precision {
  readonly asked: number;
  /** First passages at or above the threshold, and those of them that answer. */
  readonly given: number;
  readonly right: number;
}

export async function precision(
  { find }: Engine,
  corpus: readonly CorpusPassage[],
  questions: readonly Question[],
): Promise<Precision> {
  let given = 0;
  let right = 0;
  for (const question of questions) {
    const [hit] = await find(question.ask);
    if (!hit || (hit.confidence ?? 0) < ANSWER_SCORE) continue;
    given++;
    if (isAnswer(corpus[hit.place]?.text ?? '', question)) right++;
  }
  return { asked: questions.length, given, right };
}

/** "3 / 9": at first and among five. */
export const cell = ({ first, five }: Recall): string => `${first} / ${five}`;

/** Median and 95th percentile in milliseconds. */
export function pace(tookMs: readonly number[]): string {
  const { p50, p95 } = quantiles(tookMs);
  return `${Math.round(p50)} / ${Math.round(p95)}`;
}
