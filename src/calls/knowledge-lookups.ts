import {
  ANSWER_SCORE,
  type KnowledgeLookup,
  MAX_QUESTION_CHARS,
} from '../contract/knowledge-base.ts';
import { foldedWords } from '../lib/folded-words.ts';
import { asNumber, asRecords, asText, type JsonObject, parseJsonFrame } from '../lib/json-frame.ts';
import type { AskedQuestion, JournalledLookup } from '../store/knowledge-questions.ts';

type Source = KnowledgeLookup['sources'][number];

/** What was looked up in a call, with the sources of what was found. */
export function presentLookups(journalled: readonly JournalledLookup[]): KnowledgeLookup[] {
  return journalled.map(({ at, question, result }) => {
    const sources = sourcesOf(result);
    const answered = sources.some(({ score }) => score >= ANSWER_SCORE);
    return { atMs: at, question, answered, sources };
  });
}

/**
 * The questions of a call. A reply may be prepared before the caller has finished: of a question and its beginning,
 * only the whole counts.
 */
export function questionsOf(
  journalled: readonly JournalledLookup[],
  beganAt: Date,
): readonly AskedQuestion[] {
  const lookups = presentLookups(journalled);
  return journalled.flatMap(({ at, toolCallId, question }, i) => {
    const next = journalled[i + 1]?.question;
    // Half a letter at the cut is replaced.
    const text = question.trim().slice(0, MAX_QUESTION_CHARS).toWellFormed();
    if (text === '' || (next !== undefined && isBeginning(question, next))) return [];
    const askedAt = new Date(beganAt.getTime() + at);
    return [{ toolCallId, question: text, answered: lookups[i]?.answered ?? false, askedAt }];
  });
}

function isBeginning(part: string, whole: string): boolean {
  const [words, all] = [foldedWords(part), foldedWords(whole)];
  return words.every((word, i) => word === all[i]);
}

function sourcesOf(result: string): Source[] {
  return asRecords(parseJsonFrame(result)?.results).flatMap(toSource);
}

/** The source of a result; before this had fields of its own, it was a text such as `file:f1 (prices.pdf, page 3)`. */
function toSource(entry: JsonObject): Source[] {
  const match = /^(faq|file|url):(\S+)(?: \((.*)\))?$/s.exec(asText(entry.source));
  if (!match) return [];
  const [, type, id = '', place = ''] = match;
  const [, name = place, placePage] = (type === 'file' && /^(.*), page (\d+)$/s.exec(place)) || [];
  const heading = asText(entry.heading) || asText(entry.under);
  const page = asNumber(entry.page) ?? (placePage === undefined ? undefined : Number(placePage));
  return [
    {
      type: type as Source['type'],
      id,
      document: asText(entry.document) || asText(entry.question) || name,
      ...(heading === '' ? {} : { heading }),
      ...(page === undefined ? {} : { page }),
      score: Math.min(1, Math.max(0, asNumber(entry.score) ?? 0)),
    },
  ];
}
