import type { z } from 'zod';
import {
  type KnowledgeBase,
  type KnowledgeBaseStatusReportSchema,
  type KnowledgeCoverageSchema,
  type KnowledgeHitSchema,
  MAX_WORDINGS,
} from '../../contract/knowledge-base.ts';
import { citationOf } from '../../knowledge/citation.ts';
import type { QuestionGroup } from '../../knowledge/search/group-questions.ts';
import type { KnowledgeHit } from '../../knowledge/search/knowledge-hit.ts';
import type { KnowledgeBase as StoredKnowledgeBase } from '../../store/knowledge-bases.ts';

/** Converts a knowledge base to its form in the API. */
export function presentKnowledgeBase(stored: StoredKnowledgeBase): KnowledgeBase {
  return {
    ...presentStatus(stored),
    files: stored.files.map(({ id }) => ({ id })),
    docs: stored.docs as KnowledgeBase['docs'],
    retrain_frequency_minutes: stored.retrainFrequencyMinutes,
    createdAt: stored.createdAt.toISOString(),
    updatedAt: stored.updatedAt.toISOString(),
  };
}

export function presentStatus({
  id,
  title,
  description,
  status,
  statusReason,
}: StoredKnowledgeBase): z.output<typeof KnowledgeBaseStatusReportSchema> {
  return { id, title, description, status, ...(statusReason === null ? {} : { statusReason }) };
}

/** Converts a hit and its source to their form in the API. */
export function presentHit(hit: KnowledgeHit): z.output<typeof KnowledgeHitSchema> {
  if (hit.kind === 'faq') {
    const { id, question, answer, score } = hit;
    return { text: answer, score, source: { type: 'faq', id, title: question } };
  }
  const { text, headings, page } = hit.passage;
  const { type, id, title } = citationOf(hit.passage);
  return {
    text,
    score: hit.score,
    source: {
      type,
      id,
      title,
      ...(headings.length > 0 ? { headings: [...headings] } : {}),
      ...(page === null ? {} : { page }),
    },
  };
}

/** Converts a group of unanswered questions to its form in the API. */
export function presentUnanswered({
  wordings,
  count,
}: QuestionGroup): z.output<typeof KnowledgeCoverageSchema>['unanswered'][number] {
  const latest = wordings.reduce((a, b) => (b.lastAskedAt > a.lastAskedAt ? b : a));
  return {
    question: wordings[0]?.question ?? '',
    count,
    lastAskedAt: latest.lastAskedAt.toISOString(),
    lastCallId: latest.lastCallId,
    wordings: wordings.slice(0, MAX_WORDINGS).map(({ question }) => question),
  };
}
