import type { SegmentSummary } from '../ports/knowledge.ts';
import type { Db } from '../store/db.ts';
import { listFaqQuestions } from '../store/faq-entries.ts';
import { listSegmentAskable } from '../store/knowledge-lookup.ts';

/** Sentences and topics that callers may ask about, for recognisers that need to know what to expect. */
export interface Askable {
  /** Whole questions of the FAQ, then questions and headings of files and pages. */
  readonly sentences: readonly string[];
  /** Topics of questions in the caller's own words: headings first, then names and terms. */
  readonly topics: readonly string[];
}

/** At most `limit` sentences and as many topics; several files share the room for terms. */
export async function listAskable(
  db: Db,
  params: {
    readonly teamId: string;
    readonly knowledgeBaseIds: readonly string[];
    readonly limit: number;
  },
): Promise<Askable> {
  const [questions, segments] = await Promise.all([
    listFaqQuestions(db, params),
    listSegmentAskable(db, params),
  ]);
  return mergeAskable(questions, segments, params.limit);
}

/** What the questions of a FAQ and the sources of a base together give. */
export function mergeAskable(
  questions: readonly string[],
  segments: readonly Pick<SegmentSummary, 'askable' | 'terms'>[],
  limit: number,
): Askable {
  const sentences = [...questions, ...segments.flatMap(({ askable }) => askable)];
  const most = Math.max(0, ...segments.map(({ terms }) => terms.length));
  const terms = Array.from({ length: most }, (_, rank) =>
    segments.flatMap((segment) => segment.terms[rank] ?? []),
  ).flat();
  const topics = [...sentences.filter((text) => !text.endsWith('?')), ...terms];
  return {
    sentences: [...new Set(sentences)].slice(0, limit),
    topics: [...new Set(topics)].slice(0, limit),
  };
}
