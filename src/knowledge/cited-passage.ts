import { citationOf } from './citation.ts';
import type { KnowledgeHit } from './search/knowledge-hit.ts';

/** A search result with its source, as the model gets it. */
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
      /** Human-readable: a file's name and page number, or a web page's title and URL. */
      readonly source: string;
      readonly under?: string;
    };

export function toCitedPassage(hit: KnowledgeHit): CitedPassage {
  const { score } = hit;
  if (hit.kind === 'faq') {
    const { id, question, answer } = hit;
    return { question, answer, score, source: `faq:${id}` };
  }
  const { text, headings, page } = hit.passage;
  const { type, id, title } = citationOf(hit.passage);
  const place = page === null ? '' : `, page ${page}`;
  return {
    text,
    score,
    source: type === 'file' ? `file:${id} (${title}${place})` : `url:${id} (${title})`,
    ...(headings.length > 0 ? { under: headings.join(' > ') } : {}),
  };
}
