import { mergeAskable } from '../../../src/knowledge/askable.ts';
import { SegmentBuilder } from '../../../src/knowledge/indexing/segment-builder.ts';
import { wordErrors } from '../../../src/lib/word-errors.ts';
import { createOfflineStt } from '../../../src/providers/offline/stt/adapter.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { spoken } from '../../support/spoken.ts';
import type { CorpusPassage } from './corpus.ts';
import type { Question } from './questions.ts';

/** What a call passes to its recogniser. */
const MAX_ASKABLE = 500;
const FRAME_SAMPLES = 160;

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
  const { sentences, topics } = askableOf(corpus);
  // Time stands still: no deadline passes on a busy machine.
  const stt = createOfflineStt({ clock: new ManualClock(), maxThreads: 1, slotsPerThread: 1 });
  const heard: Question[] = [];
  let errors = 0;
  let words = 0;
  try {
    const sounds = await spoken(...questions.map(({ ask }) => ask));
    for (const [i, { ask, expected }] of questions.entries()) {
      const final = Promise.withResolvers<string>();
      const stream = await stt.open({
        sampleRateHz: 8000,
        languages: ['en-US'],
        hints: [],
        phrases: sentences,
        topics,
        signal: new AbortController().signal,
        onEvent: (event) => {
          if (event.type === 'final') final.resolve(event.text);
          else if (event.type === 'error') final.reject(new Error(event.error.message));
        },
      });
      const sound = sounds[i] as Int16Array;
      stream.speechStarted();
      for (let at = 0; at < sound.length; at += FRAME_SAMPLES)
        stream.write(sound.subarray(at, at + FRAME_SAMPLES));
      stream.speechEnded();
      const text = await final.promise.finally(() => stream.close());
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
