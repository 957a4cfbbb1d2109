import type { Assistant } from '../../client/api.generated.ts';
import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/client.ts';

const MAX_ATTEMPTS = 4;

/**
 * Changes the knowledge bases of an assistant, starting from its current version; with at least one base, its knowledge
 * tool is turned on.
 */
export async function changeAssistantBases(
  client: Client,
  id: string,
  change: (ids: readonly string[]) => readonly string[],
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const response = await client.open('getAssistant', { path: { id } });
    const tag = response.headers.get('etag');
    const ids = change(((await response.json()) as Assistant).assistantKnowledgeBaseIds);
    try {
      await client.call('updateAssistant', {
        path: { id },
        body: {
          assistantKnowledgeBaseIds: ids,
          ...(ids.length > 0 ? { assistantPredefinedTools: { knowledgeBase: true } } : {}),
        },
        ...(tag === null ? {} : { ifMatch: tag }),
      });
      return;
    } catch (error) {
      const raced = error instanceof ApiError && error.status === 412;
      if (!raced || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
