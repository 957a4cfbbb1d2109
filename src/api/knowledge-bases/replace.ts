import { isDeepStrictEqual } from 'node:util';
import type { KnowledgeBaseReplacement } from '../../contract/knowledge-base.ts';
import { sendTraining } from '../../knowledge/training/train-job.ts';
import {
  getKnowledgeBase,
  type KnowledgeBase,
  updateKnowledgeBase,
} from '../../store/knowledge-bases.ts';
import { queueKnowledgeBase } from '../../store/knowledge-training.ts';
import type { ApiDeps } from '../deps.ts';
import { refuseIfChanged } from '../entity-tag.ts';
import { retryRaces } from '../retry-races.ts';
import { checkFiles, toContent } from './content.ts';
import { presentKnowledgeBase } from './present.ts';

type QueueDeps = Pick<ApiDeps, 'db' | 'jobs'>;

interface Replacement {
  readonly teamId: string;
  readonly id: string;
  readonly config: KnowledgeBaseReplacement;
  /** Entity tags that the client has read. */
  readonly ifMatch: string | undefined;
}

/** Replaces a knowledge base and queues it for training if its files or documents have changed. */
export function replaceKnowledgeBase(
  { db, jobs }: QueueDeps,
  params: Replacement,
): Promise<KnowledgeBase> {
  const content = toContent(params.config);
  return retryRaces(() => db.transaction((tx) => replaceOnce({ db: tx, jobs }, params, content)));
}

async function replaceOnce(
  { db: tx, jobs }: QueueDeps,
  { teamId, id, ifMatch }: Replacement,
  content: ReturnType<typeof toContent>,
): Promise<KnowledgeBase> {
  const before = await getKnowledgeBase(tx, { teamId, id });
  refuseIfChanged(ifMatch, presentKnowledgeBase(before));
  await checkFiles(tx, { teamId, files: content.files });
  const expectedVersion = before.version;
  const after = await updateKnowledgeBase(tx, { teamId, id, content, expectedVersion });
  const sourcesKept =
    isDeepStrictEqual(before.docs, after.docs) && isDeepStrictEqual(before.files, after.files);
  return sourcesKept ? after : queueForTraining({ db: tx, jobs }, { teamId, id });
}

/** Queues a knowledge base for training and sends the job. */
export async function queueForTraining(
  { db, jobs }: QueueDeps,
  params: { readonly teamId: string; readonly id: string },
): Promise<KnowledgeBase> {
  return db.transaction(async (tx) => {
    const queued = await queueKnowledgeBase(tx, params);
    await sendTraining(jobs, tx, { teamId: params.teamId, knowledgeBaseId: params.id });
    return queued;
  });
}
