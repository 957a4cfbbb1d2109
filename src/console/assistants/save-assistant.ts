import type { Assistant, AssistantPatch, SavedAssistant } from '../../client/api.generated.ts';
import type { Client } from '../../client/client.ts';
import type { Resource } from '../form/save-patch.ts';
import type { Stored } from '../form/use-editor.ts';
import { clearToasts, showToast } from '../ui/toasts.tsx';

/** Reads and patches one assistant. */
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

const WARNINGS = 'saved-assistant';

/** Shows the warnings that came with a saved assistant, in place of those that came before. */
export function showWarnings(warnings: SavedAssistant['warnings'] = []): void {
  clearToasts(WARNINGS);
  for (const { message } of warnings) showToast(message, 'bad', WARNINGS);
}

async function toStored(response: Response): Promise<Stored<Assistant>> {
  const { warnings, ...record } = (await response.json()) as SavedAssistant;
  showWarnings(warnings);
  const { _id, teamId, createdAt, updatedAt, ...config } = record;
  return { record, config, tag: response.headers.get('etag') ?? '' };
}
