import { isDeepStrictEqual } from 'node:util';
import type { KnowledgeBaseConfig } from '../../contract/knowledge-base.ts';
import type { Db } from '../../store/db.ts';
import {
  changeKnowledgeBaseStatus,
  getKnowledgeBase,
  type KnowledgeBase,
  type KnowledgeBaseContent,
  updateKnowledgeBase,
} from '../../store/knowledge-bases.ts';
import { refuseIfChanged } from '../entity-tag.ts';
import { retryRaces } from '../retry-races.ts';
import { checkFiles, toContent } from './content.ts';
import { presentKnowledgeBase } from './present.ts';

interface Replacement {
  readonly teamId: string;
  readonly id: string;
  readonly config: KnowledgeBaseConfig;
  /** What the client read. */
  readonly ifMatch: string | undefined;
}

/** Replaces a knowledge base; new files or documents send it back to be trained. */
export function replaceKnowledgeBase(db: Db, params: Replacement): Promise<KnowledgeBase> {
  const content = toContent(params.config);
  return retryRaces(() => db.transaction((tx) => replaceOnce(tx, params, content)));
}

async function replaceOnce(
  tx: Db,
  { teamId, id, ifMatch }: Replacement,
  content: KnowledgeBaseContent,
): Promise<KnowledgeBase> {
  const before = await getKnowledgeBase(tx, { teamId, id });
  refuseIfChanged(ifMatch, presentKnowledgeBase(before));
  await checkFiles(tx, { teamId, files: content.files });
  const expectedVersion = before.version;
  const after = await updateKnowledgeBase(tx, { teamId, id, content, expectedVersion });
  const sourcesKept =
    isDeepStrictEqual(before.docs, after.docs) && isDeepStrictEqual(before.files, after.files);
  if (sourcesKept || !hasSources(after)) return after;
  return changeKnowledgeBaseStatus(tx, { teamId, id, status: 'queued' });
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
