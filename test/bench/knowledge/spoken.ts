import { mergeAskable } from '../../../src/knowledge/askable.ts';
import { SegmentBuilder } from '../../../src/knowledge/indexing/segment-builder.ts';
import { wordErrors } from '../../../src/lib/word-errors.ts';
import { createPatientStt, hear } from '../../support/hear.ts';
import { spoken } from '../../support/spoken.ts';
import type { CorpusPassage } from './corpus.ts';
import type { Question } from './questions.ts';

/** What a call passes to its recogniser. */
const MAX_ASKABLE = 500;

export interface Heard {
  /** The questions in the recogniser's words. */
  readonly questions: readonly Question[];
  /** Word errors of all words spoken, 0…1. */
  readonly wordErrorRate: number;
}

/** The questions, spoken by the built-in voice over a telephone line and recognised by the built-in recogniser. */
export async function hearQuestions(
  corpus: readonly CorpusPassage[],
  questions: readonly Question[],
): Promise<Heard> {
  const askable = askableOf(corpus);
  const stt = createPatientStt();
  const heard: Question[] = [];
  let errors = 0;
  let words = 0;
  try {
    const sounds = await spoken(...questions.map(({ ask }) => ask));
    for (const [i, { ask, expected }] of questions.entries()) {
      const text = await hear(stt, sounds[i] as Int16Array, askable);
      const counted = wordErrors(ask, text);
      errors += counted.errors;
      words += counted.words;
      heard.push({ ask: text, expected });
    }
  } finally {
    await stt.close();
  }
  return { questions: heard, wordErrorRate: Math.round((100 * errors) / words) / 100 };
}

function askableOf(corpus: readonly CorpusPassage[]) {
  const segments = [...Map.groupBy(corpus, ({ source }) => source).values()].map((passages) => {
    const builder = new SegmentBuilder();
    for (const { text, headings } of passages) builder.add({ text, headings });
    return builder.finish().summary;
  });
  return mergeAskable([], segments, MAX_ASKABLE);
}
