import type { KnowledgeBase, KnowledgeBaseInput } from '../../client/api.generated.ts';
import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/client.ts';

type Change = (current: Required<KnowledgeBaseInput>) => KnowledgeBaseInput;

/** Changes the base of a page, and shows it there. */
export type ChangeBase = (change: Change) => Promise<void>;

/** A training that goes on changes it too, so a few collisions are nothing unusual. */
const MAX_ATTEMPTS = 6;

/**
 * Changes a knowledge base as it is at that moment: what others added meanwhile stays. The API replaces it as a
 * whole, so it is read, changed, and written only if nothing came between.
 */
export async function changeBase(
  client: Client,
  id: string,
  change: Change,
): Promise<KnowledgeBase> {
  for (let attempt = 1; ; attempt++) {
    const response = await client.open('getKnowledgeBase', { path: { id } });
    const tag = response.headers.get('etag');
    const current = inputOf((await response.json()) as KnowledgeBase);
    try {
      return await client.call('replaceKnowledgeBase', {
        path: { id },
        body: change(current),
        ...(tag === null ? {} : { ifMatch: tag }),
      });
    } catch (error) {
      const raced = error instanceof ApiError && error.status === 412;
      if (!raced || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function inputOf(base: KnowledgeBase): Required<KnowledgeBaseInput> {
  const { title, description, files, docs, retrain_frequency_minutes } = base;
  return { title, description, files, docs, retrain_frequency_minutes };
}
