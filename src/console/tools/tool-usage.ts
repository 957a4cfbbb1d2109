import type { Assistant } from '../../client/api.generated.ts';
import type { Client } from '../../client/client.ts';

export type ToolUser = Pick<Assistant, '_id' | 'name'>;

const MOST_NAMED = 20;

/** Assistants that use a tool, for the whole call or in a step of their workflow; at most twenty. */
export function loadToolUsers(
  client: Client,
  toolId: string,
  signal: AbortSignal,
): Promise<readonly ToolUser[]> {
  const query = { toolId, fields: 'name', limit: MOST_NAMED };
  return client.call('listAssistants', { query, signal });
}
