import type { Tool, ToolPatch } from '../../client/api.generated.ts';
import type { Client } from '../../client/client.ts';
import type { Resource } from '../form/save-patch.ts';
import type { Stored } from '../form/use-editor.ts';

/** Reads and patches one tool. */
export function toolResource(client: Client, id: string): Resource<Tool> {
  return {
    read: () => readTool(client, id),
    patch: async (patch, ifMatch) =>
      toStored(
        await client.open('updateTool', { path: { id }, body: patch as ToolPatch, ifMatch }),
      ),
  };
}

export async function readTool(
  client: Client,
  id: string,
  signal?: AbortSignal,
): Promise<Stored<Tool>> {
  return toStored(await client.open('getTool', { path: { id }, ...(signal ? { signal } : {}) }));
}

async function toStored(response: Response): Promise<Stored<Tool>> {
  const record = (await response.json()) as Tool;
  const { _id, teamId, type, createdAt, updatedAt, ...config } = record;
  return { record, config, tag: response.headers.get('etag') ?? '' };
}
