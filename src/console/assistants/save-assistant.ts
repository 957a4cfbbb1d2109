import type { Assistant, AssistantPatch } from '../../client/api.generated.ts';
import type { Client } from '../../client/client.ts';
import type { Resource } from '../form/save-patch.ts';
import type { Stored } from '../form/use-editor.ts';

/** How an assistant is read and changed. */
export function assistantResource(client: Client, id: string): Resource<Assistant> {
  return {
    read: () => readAssistant(client, id),
    patch: async (patch, ifMatch) =>
      toStored(
        await client.open('updateAssistant', {
          path: { id },
          body: patch as AssistantPatch,
          ifMatch,
        }),
      ),
  };
}

export async function readAssistant(
  client: Client,
  id: string,
  signal?: AbortSignal,
): Promise<Stored<Assistant>> {
  return toStored(
    await client.open('getAssistant', { path: { id }, ...(signal ? { signal } : {}) }),
  );
}

async function toStored(response: Response): Promise<Stored<Assistant>> {
  const record = (await response.json()) as Assistant;
  const { _id, teamId, createdAt, updatedAt, ...config } = record;
  return { record, config, tag: response.headers.get('etag') ?? '' };
}
