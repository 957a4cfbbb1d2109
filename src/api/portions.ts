import type { Page, PageRequest } from '../store/page.ts';

/** Of a list whose records are not known yet. */
export const FIRST_PORTION = 8;
const MAX_PORTION = 32;
const PORTION_BYTES = 48 * 1024;

/** How many records of a list are read and serialised without a pause: of large ones fewer, down to one. */
export class PortionSize {
  #records = FIRST_PORTION;

  get records(): number {
    return this.#records;
  }

  /** So many records had so many bytes of JSON. */
  wrote(records: number, bytes: number): void {
    const wanted = Math.floor((PORTION_BYTES * records) / Math.max(1, bytes));
    this.#records = Math.max(1, Math.min(wanted, 2 * this.#records, MAX_PORTION));
  }
}

/** A list in portions of a size that changes with what was written of it. */
export type Portions<Item> = (size: PortionSize) => AsyncIterable<readonly Item[]>;

/** The items of a list that is in memory. */
export const portionsOf = <Item>(items: readonly Item[]): Portions<Item> =>
  foundInPortions(items, async (some) => some);

/** Reads the records with these ids portion by portion. */
export function foundInPortions<Id, Item>(
  ids: readonly Id[],
  find: (ids: readonly Id[]) => Promise<readonly Item[]>,
): Portions<Item> {
  return async function* (size) {
    for (let from = 0; from < ids.length; ) {
      const some = ids.slice(from, from + size.records);
      from += some.length;
      yield await find(some);
    }
  };
}

/** Reads a page of a list portion by portion; `onNext` gets the cursor of the next page, if there is one. */
export function pageInPortions<Item>(
  { limit = Number.POSITIVE_INFINITY, cursor }: PageRequest,
  read: (request: PageRequest) => Promise<Page<Item>>,
  onNext: (cursor: string) => void,
): Portions<Item> {
  return async function* (size) {
    let after = cursor;
    for (let left = limit; left > 0; ) {
      const { items, nextCursor } = await read({
        limit: Math.min(left, size.records),
        ...(after === undefined ? {} : { cursor: after }),
      });
      yield items;
      if (nextCursor === undefined) return;
      after = nextCursor;
      left -= items.length;
    }
    if (after !== undefined) onNext(after);
  };
}
