import { citationOf } from './citation.ts';
import type { KnowledgeHit } from './search/knowledge-hit.ts';

/** A search result with its source, as the model gets it and the journal keeps it. */
export type CitedPassage =
  | {
      readonly question: string;
      readonly answer: string;
      readonly score: number;
      readonly source: string;
    }
  | {
      readonly text: string;
      readonly score: number;
      /** `file:<id>` or `url:<address>`. */
      readonly source: string;
      /** Name of the file or title of the page. */
      readonly document: string;
      /** The headings above the text, highest first. */
      readonly heading?: string;
      readonly page?: number;
    };

export function toCitedPassage(hit: KnowledgeHit): CitedPassage {
  const { score } = hit;
  if (hit.kind === 'faq') {
    const { id, question, answer } = hit;
    return { question, answer, score, source: `faq:${id}` };
  }
  const { text, headings, page } = hit.passage;
  const { type, id, title } = citationOf(hit.passage);
  return {
    text,
    score,
    source: `${type}:${id}`,
    document: title,
    ...(headings.length > 0 ? { heading: headings.join(' > ') } : {}),
    ...(page === null ? {} : { page }),
  };
}
