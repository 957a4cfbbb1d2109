import type { z } from 'zod';
import type { KnowledgeHitSchema } from '../../contract/knowledge-base.ts';
import { citationOf } from '../../knowledge/citation.ts';
import type { KnowledgeHit } from '../../knowledge/search/knowledge-hit.ts';

/** What answers a query, and what it is from, as the contract shows it. */
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
