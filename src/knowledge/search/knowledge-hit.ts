import type { FoundPassage } from '../../store/knowledge-lookup.ts';
import type { UnansweredWording } from '../../store/knowledge-questions.ts';
import type { QuestionGroup } from './group-questions.ts';

/** A piece of knowledge that answers a query. */
export type KnowledgeHit = FaqHit | PassageHit;

/** A passage of a file or web page. */
export interface PassageHit {
  readonly kind: 'passage';
  readonly passage: FoundPassage;
  /** 0…1: how likely it answers the question. */
  readonly score: number;
}

export interface FaqHit {
  readonly kind: 'faq';
  readonly id: string;
  readonly knowledgeBaseId: string;
  readonly question: string;
  readonly answer: string;
  readonly category: string;
  /** 0…1: how likely it answers the question. */
  readonly score: number;
}

export interface KnowledgeQuery {
  readonly teamId: string;
  readonly knowledgeBaseIds: readonly string[];
  readonly query: string;
  readonly limit: number;
}

/** The knowledge bases to search, all of one team. */
export type SearchedBases = Pick<KnowledgeQuery, 'teamId' | 'knowledgeBaseIds'>;

/** Questions that were not answered when they were asked, the most frequent wordings first. */
export interface Unanswered {
  readonly teamId: string;
  readonly knowledgeBaseId: string;
  readonly wordings: readonly UnansweredWording[];
}

/** Searches knowledge bases. */
export interface KnowledgeSearcher {
  /** Best first. Rejects with ComputeError if there is no time or memory, or with the signal's reason. */
  search(query: KnowledgeQuery, signal?: AbortSignal): Promise<readonly KnowledgeHit[]>;
  /**
   * The questions to which the base has no answer now, grouped, the most frequent first; by words only. Rejects as
   * {@link search}.
   */
  findUnanswered(asked: Unanswered): Promise<readonly QuestionGroup[]>;
  /** Loads the bases' indexes in the background, so that a first question does not wait. */
  warm(bases: SearchedBases): void;
}
