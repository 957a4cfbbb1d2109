import { contentWords } from './knowledge.ts';
import type { Language } from './language.ts';
import { wordsOf } from './words.ts';

/** A next step of a workflow, and the condition for taking it. */
export interface Step {
  readonly step: string;
  readonly when: string;
}

/** Words that occur in every caller's description, in the base forms of content words. */
const OF_ANYONE: ReadonlySet<string> = new Set(
  'caller call customer client user person want wants like need ask asks say says if anrufer kunde will client appelant veut cliente quiere'.split(
    ' ',
  ),
);
const NEGATIONS: ReadonlySet<string> = new Set(
  "no not don't doesn't never non pas nein nicht kein keine nunca".split(' '),
);

/** The steps listed in the tool's description, one per line as `- step: when`. */
export function stepsIn(description: string): readonly Step[] {
  return [...description.matchAll(/^- ([^:\n]+): (.+)$/gm)].map(([, step = '', when = '']) => ({
    step,
    when,
  }));
}

/** The step whose condition the caller's words clearly match; undefined when none or two match. */
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

/** The share of the condition's words that were said, 0 to 1. */
function overlap(words: ReadonlySet<string>, condition: ReadonlySet<string>): number {
  if (condition.size === 0) return 0;
  return [...condition].filter((word) => words.has(word)).length / condition.size;
}

const isNegated = (text: string) => wordsOf(text).some((word) => NEGATIONS.has(word));
