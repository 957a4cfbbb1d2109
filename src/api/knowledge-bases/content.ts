import { invalid } from '../../contract/errors.ts';
import type { KnowledgeBaseConfig } from '../../contract/knowledge-base.ts';
import type { Db } from '../../store/db.ts';
import { findFiles } from '../../store/files.ts';
import type { KnowledgeBaseContent } from '../../store/knowledge-bases.ts';

type Kept = 'title' | 'docs' | 'files';

/** Converts a request to the stored form of a knowledge base; absent fields stay unchanged. */
export function toContent(
  config: Pick<KnowledgeBaseConfig, Kept> & Partial<KnowledgeBaseConfig>,
): Pick<KnowledgeBaseContent, Kept> & Partial<KnowledgeBaseContent> {
  const { title, docs, files, description, retrain_frequency_minutes: minutes } = config;
  return {
    title,
    docs,
    files,
    ...(description === undefined ? {} : { description }),
    ...(minutes === undefined ? {} : { retrainFrequencyMinutes: minutes }),
  };
}

/** Throws Problem if the team lacks one of the files. The files cannot be deleted before the transaction ends. */
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
