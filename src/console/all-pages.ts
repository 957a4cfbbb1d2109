import type { Operations } from '../client/api.generated.ts';
import type { Client } from '../client/client.ts';

type ListId = {
  [K in keyof Operations]: Operations[K] extends {
    readonly query?: { readonly cursor?: string };
    readonly response: readonly unknown[];
  }
    ? K
    : never;
}[keyof Operations];

type Item<K extends ListId> = Operations[K]['response'][number];

interface PageReader {
  open(
    id: ListId,
    request: {
      readonly query: { readonly limit: number; readonly cursor?: string };
      readonly signal: AbortSignal;
    },
  ): Promise<Response>;
}

const PAGE = 200;

/** Loads every page of a list, in order. */
export async function loadAllPages<K extends ListId>(
  client: Client,
  id: K,
  signal: AbortSignal,
): Promise<readonly Item<K>[]> {
  // TypeScript cannot tell that each of these operations takes a page.
  const reader = client as unknown as PageReader;
  const items: Item<K>[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const response = await reader.open(id, { query, signal });
    items.push(...((await response.json()) as readonly Item<K>[]));
    cursor = nextCursor(response.headers.get('link'));
  } while (cursor !== undefined);
  return items;
}

function nextCursor(link: string | null): string | undefined {
  const address = link?.match(/<([^>]+)>; rel="next"/)?.[1];
  if (address === undefined) return undefined;
  return new URLSearchParams(address.split('?', 2)[1]).get('cursor') ?? undefined;
}
