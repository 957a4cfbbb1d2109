import type { Assistant, AssistantPatch } from '../../client/api.generated.ts';
import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/client.ts';
import { mergeDiff, patchedPaths } from '../form/merge-diff.ts';
import type { Values } from '../form/value-path.ts';

/** An assistant as it stood when it was read. */
export interface ReadAssistant {
  readonly assistant: Assistant;
  readonly tag: string;
}

/** What can be changed of an assistant. */
export function configOf({ _id, teamId, createdAt, updatedAt, ...config }: Assistant): Values {
  return config;
}

export async function readAssistant(
  client: Client,
  id: string,
  signal?: AbortSignal,
): Promise<ReadAssistant> {
  const response = await client.open('getAssistant', {
    path: { id },
    ...(signal ? { signal } : {}),
  });
  return toRead(response);
}

async function toRead(response: Response): Promise<ReadAssistant> {
  return {
    assistant: (await response.json()) as Assistant,
    tag: response.headers.get('etag') ?? '',
  };
}

/** What became of a try to save. */
export type Saved =
  | { readonly kind: 'saved'; readonly read: ReadAssistant }
  /** Somebody else changed the same fields: here is what stands now. */
  | { readonly kind: 'clash'; readonly read: ReadAssistant; readonly paths: readonly string[] };

/**
 * Saves a patch over what was read. What somebody else changed meanwhile stays, and only where both changed the same
 * is it not saved.
 */
export async function savePatch(
  client: Client,
  base: ReadAssistant,
  patch: Values,
  triesLeft = 5,
): Promise<Saved> {
  const id = base.assistant._id;
  try {
    const response = await client.open('updateAssistant', {
      path: { id },
      body: patch as AssistantPatch,
      ifMatch: base.tag,
    });
    return { kind: 'saved', read: await toRead(response) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 412 || triesLeft === 0) throw error;
  }
  const now = await readAssistant(client, id);
  const theirs = patchedPaths(mergeDiff(configOf(base.assistant), configOf(now.assistant)));
  const paths = patchedPaths(patch).filter((mine) => theirs.some((path) => isWithin(mine, path)));
  if (paths.length > 0) return { kind: 'clash', read: now, paths };
  return savePatch(client, now, patch, triesLeft - 1);
}

function isWithin(one: string, other: string): boolean {
  return `${one}.`.startsWith(`${other}.`) || `${other}.`.startsWith(`${one}.`);
}
