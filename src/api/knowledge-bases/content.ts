import { invalid } from '../../contract/errors.ts';
import type { KnowledgeBaseConfig } from '../../contract/knowledge-base.ts';
import type { KnowledgeBaseContent } from '../../store/knowledge-bases.ts';

/** What the store keeps of a knowledge base, once everything it refers to is known to exist. */
export function toContent(config: KnowledgeBaseConfig): KnowledgeBaseContent {
  // There is no way to upload a file yet, so none exists.
  const faults = config.files.map(({ id }, index) => ({
    path: `files.${index}.id`,
    message: `there is no such file: ${id}`,
  }));
  if (faults.length > 0) throw invalid(faults);
  return {
    title: config.title,
    description: config.description,
    docs: config.docs,
    files: config.files,
    retrainFrequencyMinutes: config.retrain_frequency_minutes,
  };
}
