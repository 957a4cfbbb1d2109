import type { TurnMetrics } from '../../client/api.generated.ts';

/** One answer: how long it took by ear, and where the time went as the service tells. */
export interface Answer {
  readonly heardMs?: number;
  readonly metrics?: TurnMetrics;
}

/** An answer was heard here: the one the service has told of already, or one more. */
export function hearAnswer(answers: readonly Answer[], heardMs: number): readonly Answer[] {
  const last = answers.at(-1);
  if (last && last.heardMs === undefined) return [...answers.slice(0, -1), { ...last, heardMs }];
  return [...answers, { heardMs }];
}

/** Puts the service's account beside what was heard here, answer by answer. */
export function explainAnswers(
  answers: readonly Answer[],
  metrics: readonly TurnMetrics[],
): readonly Answer[] {
  const answered = metrics.filter(({ totalMs }) => totalMs !== undefined);
  // The ear may miss an answer that the service counted: then its account stands alone.
  const known = answered.length > answers.length ? answered.map(() => ({})) : answers;
  if (answered.length !== known.length) return known;
  return known.map((answer, index) => {
    const own = answered[index];
    return own ? { ...answer, metrics: own } : answer;
  });
}

export function answerMs({ heardMs, metrics }: Answer): number | undefined {
  return heardMs ?? metrics?.totalMs;
}

export function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
