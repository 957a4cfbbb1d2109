/** Which part of a list: newest first, after the item named by `cursor`. */
export interface PageRequest {
  /** @defaultValue everything */
  readonly limit?: number;
  readonly cursor?: string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Where the next page starts; absent on the last one. */
  readonly nextCursor?: string;
}

/** Makes a page of rows that were read one beyond the limit, to know whether there are more. */
export function toPage<Item extends { readonly id: string }>(
  rows: readonly Item[],
  limit: number | undefined,
): Page<Item> {
  if (limit === undefined || rows.length <= limit) return { items: rows };
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return last ? { items, nextCursor: last.id } : { items };
}
