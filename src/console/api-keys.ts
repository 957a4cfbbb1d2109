import type { ApiKey } from '../client/api.generated.ts';
import type { Client } from '../client/client.ts';

/** Every key of the team, newest first, over all pages of the list. */
export async function loadApiKeys(client: Client, signal: AbortSignal): Promise<readonly ApiKey[]> {
  const keys: ApiKey[] = [];
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? {} : { cursor };
    const response = await client.open('listApiKeys', { query, signal });
    keys.push(...((await response.json()) as readonly ApiKey[]));
    cursor = nextCursor(response.headers.get('link'));
  } while (cursor !== undefined);
  return keys;
}

function nextCursor(link: string | null): string | undefined {
  const address = link?.match(/<([^>]+)>; rel="next"/)?.[1];
  if (address === undefined) return undefined;
  return new URLSearchParams(address.split('?', 2)[1]).get('cursor') ?? undefined;
}
