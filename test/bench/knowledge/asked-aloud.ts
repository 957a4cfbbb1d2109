import type { CorpusPassage } from './corpus.ts';
import { miniSearchEngine, parleyEngine, parleyIndex } from './engines.ts';
import { isAnswer, type Question } from './questions.ts';
import { cell, recall } from './recall.ts';
import { hearQuestions } from './spoken.ts';

/**
 * Questions asked aloud. The built-in recogniser hears 500 sentences and topics of a base, so the base has only the pages
 * that answer.
 */
export async function askedAloud(corpus: readonly CorpusPassage[], questions: readonly Question[]) {
  const answering = corpus.filter(({ text }) =>
    questions.some((question) => isAnswer(text, question)),
  );
  const sources = new Set(answering.map(({ source }) => source));
  const base = corpus.filter(({ source }) => sources.has(source));
  const { questions: heard, wordErrorRate } = await hearQuestions(base, questions);
  const found: Record<string, string> = {};
  for (const engine of [parleyEngine(parleyIndex(base)), miniSearchEngine(base)])
    found[engine.name] = cell(await recall(engine, base, heard));
  return { passages: base.length, wordErrorRate, found };
}
