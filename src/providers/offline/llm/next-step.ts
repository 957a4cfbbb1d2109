import { contentWords } from './knowledge.ts';
import type { Language } from './language.ts';
import { wordsOf } from './words.ts';

/** A way on in a workflow, and when the model is to take it. */
export interface Step {
  readonly step: string;
  readonly when: string;
}

/** Said of every caller, in the base forms that content words come in. */
const OF_ANYONE: ReadonlySet<string> = new Set(
  'caller call customer client user person want wants like need ask asks say says if anrufer kunde will client appelant veut cliente quiere'.split(
    ' ',
  ),
);
const NEGATIONS: ReadonlySet<string> = new Set(
  "no not don't doesn't never non pas nein nicht kein keine nunca".split(' '),
);

/** The ways on that the tool for it offers: a line each, as `- step: when`. */
export function stepsIn(description: string): readonly Step[] {
  return [...description.matchAll(/^- ([^:\n]+): (.+)$/gm)].map(([, step = '', when = '']) => ({
    step,
    when,
  }));
}

/** The step whose condition the caller's words clearly are about; undefined when none is, or two are. */
export function findStep(
  asked: string,
  steps: readonly Step[],
  language: Language,
): string | undefined {
  const words = tellingWords(asked, language);
  const scored = steps
    .filter(({ when }) => isNegated(when) === isNegated(asked))
    .map(({ step, when }) => ({ step, score: overlap(words, tellingWords(when, language)) }))
    .toSorted((a, b) => b.score - a.score);
  const [best, second] = scored;
  if (!best || best.score < 0.5 || best.score === second?.score) return undefined;
  return best.step;
}

function tellingWords(text: string, language: Language): ReadonlySet<string> {
  return new Set([...contentWords(text, language)].filter((word) => !OF_ANYONE.has(word)));
}

/** How much of the condition was said, 0 to 1. */
function overlap(words: ReadonlySet<string>, condition: ReadonlySet<string>): number {
  if (condition.size === 0) return 0;
  return [...condition].filter((word) => words.has(word)).length / condition.size;
}

const isNegated = (text: string) => wordsOf(text).some((word) => NEGATIONS.has(word));
