import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Page, PageRequest } from '../store/page.ts';

/** Records that are read and serialised without a pause: each may have 100,000 characters. */
export const PORTION = 16;

/** The items in portions, between which calls are served. */
export async function* portionsOf<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (let from = 0; from < items.length; from += PORTION) {
    if (from > 0) await nextTurn();
    yield items.slice(from, from + PORTION);
  }
}

/** Reads the records with these ids portion by portion. */
export async function* foundInPortions<Item>(
  ids: readonly string[],
  find: (ids: readonly string[]) => Promise<readonly Item[]>,
): AsyncGenerator<readonly Item[]> {
  for (let from = 0; from < ids.length; from += PORTION)
    yield await find(ids.slice(from, from + PORTION));
}

/** Reads a page of a list portion by portion; `onNext` gets the cursor of the next page, if there is one. */
export async function* pageInPortions<Item>(
  { limit = Number.POSITIVE_INFINITY, cursor }: PageRequest,
  read: (request: PageRequest) => Promise<Page<Item>>,
  onNext: (cursor: string) => void,
): AsyncGenerator<readonly Item[]> {
  let after = cursor;
  for (let left = limit; left > 0; ) {
    const size = Math.min(left, PORTION);
    const { items, nextCursor } = await read({
      limit: size,
      ...(after === undefined ? {} : { cursor: after }),
    });
    yield items;
    if (nextCursor === undefined) return;
    after = nextCursor;
    left -= items.length;
  }
  if (after !== undefined) onNext(after);
}
