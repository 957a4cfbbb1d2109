import { invalid } from '../../contract/errors.ts';
import type { KnowledgeBaseConfig } from '../../contract/knowledge-base.ts';
import type { Db } from '../../store/db.ts';
import { findFiles } from '../../store/files.ts';
import type { KnowledgeBaseContent } from '../../store/knowledge-bases.ts';

/** What the store keeps of a knowledge base. */
export function toContent(config: KnowledgeBaseConfig): KnowledgeBaseContent {
  return {
    title: config.title,
    description: config.description,
    docs: config.docs,
    files: config.files,
    retrainFrequencyMinutes: config.retrain_frequency_minutes,
  };
}

/** Refuses files that the team does not have; in a transaction, those it has stay until its end. */
export async function checkFiles(
  tx: Db,
  params: { readonly teamId: string; readonly files: KnowledgeBaseConfig['files'] },
): Promise<void> {
  const ids = params.files.map(({ id }) => id);
  const found = await findFiles(tx, { teamId: params.teamId, ids });
  const known = new Set(found.map(({ id }) => id));
  const faults = ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `files.${index}.id`, message: `there is no such file: ${id}` }],
  );
  if (faults.length > 0) throw invalid(faults);
}
