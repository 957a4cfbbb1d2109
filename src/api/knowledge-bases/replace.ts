import { isDeepStrictEqual } from 'node:util';
import type { KnowledgeBaseConfig } from '../../contract/knowledge-base.ts';
import type { Db } from '../../store/db.ts';
import {
  changeKnowledgeBaseStatus,
  getKnowledgeBase,
  type KnowledgeBase,
  updateKnowledgeBase,
} from '../../store/knowledge-bases.ts';
import { toContent } from './content.ts';

interface Replacement {
  readonly teamId: string;
  readonly id: string;
  readonly config: KnowledgeBaseConfig;
  readonly expectedVersion?: number | undefined;
}

/** Replaces a knowledge base; new files or documents send it back to be trained. */
export async function replaceKnowledgeBase(db: Db, params: Replacement): Promise<KnowledgeBase> {
  const { teamId, id, expectedVersion } = params;
  const content = toContent(params.config);
  return db.transaction(async (tx) => {
    const before = await getKnowledgeBase(tx, { teamId, id });
    const after = await updateKnowledgeBase(tx, {
      teamId,
      id,
      content,
      ...(expectedVersion === undefined ? {} : { expectedVersion }),
    });
    const sourcesKept =
      isDeepStrictEqual(before.docs, after.docs) && isDeepStrictEqual(before.files, after.files);
    if (sourcesKept || !hasSources(after)) return after;
    return changeKnowledgeBaseStatus(tx, { teamId, id, status: 'queued' });
  });
}

/** Queues a knowledge base for training; FAQ entries alone need none. */
export async function trainKnowledgeBase(
  db: Db,
  params: { readonly teamId: string; readonly id: string },
): Promise<KnowledgeBase> {
  const current = await getKnowledgeBase(db, params);
  if (!hasSources(current)) return current;
  return changeKnowledgeBaseStatus(db, { ...params, status: 'queued' });
}

function hasSources({ docs, files }: KnowledgeBase): boolean {
  return docs.length + files.length > 0;
}
