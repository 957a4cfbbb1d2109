import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import type { FaqEntry } from './faq-entries.ts';
import { faqEntries } from './schema/knowledge.ts';

/** An entry found by a search, with its knowledge base. */
export type FaqCandidate = Pick<FaqEntry, 'id' | 'question' | 'answer' | 'category'> & {
  readonly knowledgeBaseId: string;
};

const candidate = {
  id: faqEntries.id,
  knowledgeBaseId: faqEntries.knowledgeBaseId,
  question: faqEntries.question,
  answer: faqEntries.answer,
  category: faqEntries.category,
};

/** A word to search for: a whole word or a prefix. */
export interface SearchTerm {
  readonly word: string;
  readonly prefix: boolean;
}

/** Entries with any of the words, ranked by the number and weight of matches. */
export async function findFaqCandidates(
  db: Db,
  params: {
    readonly teamId: string;
    readonly knowledgeBaseIds: readonly string[];
    /** Letters and digits only. */
    readonly terms: readonly SearchTerm[];
    readonly limit: number;
  },
): Promise<readonly FaqCandidate[]> {
  const { teamId, knowledgeBaseIds, limit } = params;
  const terms = params.terms.map(serializeTerm).filter((term) => !term.startsWith("''"));
  if (terms.length === 0 || knowledgeBaseIds.length === 0) return [];
  const query = sql`${terms.join(' | ')}::tsquery`;
  return db
    .select(candidate)
    .from(faqEntries)
    .where(
      and(
        eq(faqEntries.teamId, teamId),
        inArray(faqEntries.knowledgeBaseId, [...knowledgeBaseIds]),
        sql`${faqEntries.search} @@ ${query}`,
      ),
    )
    .orderBy(desc(sql`ts_rank(${faqEntries.search}, ${query})`), faqEntries.position)
    .limit(limit);
}

function serializeTerm({ word, prefix }: SearchTerm): string {
  return `'${word.replaceAll("'", '')}'${prefix ? ':*' : ''}`;
}
