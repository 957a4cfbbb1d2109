import type { Operations } from './api.generated.ts';

/** The lists whose answers have the address of their next page in the header `link`. */
export type ListId = {
  [K in keyof Operations]: Operations[K] extends {
    readonly query?: { readonly cursor?: string };
    readonly response: readonly unknown[];
  }
    ? K
    : never;
}[keyof Operations];

export type Item<K extends ListId> = Operations[K]['response'][number];

/** The most that the service gives at once. */
export const ITEMS_PER_PAGE = 200;

/** The cursor of the next page by the header `link`; undefined on the last one. */
export function nextCursor(link: string | null): string | undefined {
  const address = link?.match(/<([^>]+)>; rel="next"/)?.[1];
  if (address === undefined) return undefined;
  return new URLSearchParams(address.split('?', 2)[1]).get('cursor') ?? undefined;
}
