import type { z } from 'zod';
import type {
  KnowledgeBase,
  KnowledgeBaseStatusReportSchema,
} from '../../contract/knowledge-base.ts';
import type { KnowledgeBase as StoredKnowledgeBase } from '../../store/knowledge-bases.ts';

/** A knowledge base as the contract shows it. */
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
