import type { KnowledgeBase, KnowledgeBaseInput } from '../../client/api.generated.ts';
import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/client.ts';

type Change = (current: Required<KnowledgeBaseInput>) => KnowledgeBaseInput;

/** Changes the page's knowledge base and shows the result. */
export type ChangeBase = (change: Change) => Promise<void>;

/** A running training changes the base too, so a few collisions are normal. */
const MAX_ATTEMPTS = 6;

/**
 * Applies a change to the current version of a knowledge base, so that other people's changes are kept. The API
 * replaces a base as a whole, so this reads it, changes it, and writes it with If-Match.
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
