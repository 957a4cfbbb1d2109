import type { Assistant } from '../client/api.generated.ts';
import type { Client } from '../client/client.ts';
import type { Item, ListId } from '../client/lists.ts';

/** Loads every page of a list, in order. */
export async function loadAllPages<K extends ListId>(
  client: Client,
  id: K,
  signal: AbortSignal,
  fields?: string,
): Promise<readonly Item<K>[]> {
  const query = fields === undefined ? {} : { fields };
  // TypeScript cannot tell that no part of the request of any of these lists is required.
  const list = client.list.bind(client) as (id: K, request: object) => AsyncIterable<Item<K>>;
  const items: Item<K>[] = [];
  for await (const item of list(id, { query, signal })) items.push(item);
  return items;
}

/** An assistant of which only these fields were loaded. */
export type AssistantWith<F extends keyof Assistant> = Pick<Assistant, F | '_id'>;

/** Loads every assistant with these fields alone: whole ones are large. */
export async function loadAssistants<const F extends keyof Assistant>(
  client: Client,
  fields: readonly F[],
  signal: AbortSignal,
): Promise<readonly AssistantWith<F>[]> {
  const list = await loadAllPages(client, 'listAssistants', signal, fields.join(','));
  // The service answers with what was asked for.
  return list as readonly AssistantWith<F>[];
}
