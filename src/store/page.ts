/** A page of a list, newest first, after the item with the id `cursor`. */
export interface PageRequest {
  /** @defaultValue everything */
  readonly limit?: number;
  readonly cursor?: string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Cursor of the next page; absent on the last one. */
  readonly nextCursor?: string;
}

/** Makes a page from rows that were read with `limit` plus one, which shows whether there are more. */
export function toPage<Item extends { readonly id: string }>(
  rows: readonly Item[],
  limit: number | undefined,
): Page<Item> {
  if (limit === undefined || rows.length <= limit) return { items: rows };
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return last ? { items, nextCursor: last.id } : { items };
}
