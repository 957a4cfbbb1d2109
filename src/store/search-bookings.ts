import type { Page, PageRequest } from './page.ts';

/** What was booked, as it is searched. */
export interface SearchedBooking {
  readonly id: string;
  readonly name: string;
  readonly phone: string;
  readonly notes: string;
  readonly reference?: string;
}

/** Bookings that are looked through for a page at most. */
const MAX_SEARCHED_BOOKINGS = 5000;
/** Read and opened at once, on the thread that carries sound: about two milliseconds. */
const ROWS_AT_ONCE = 100;

/**
 * A page of the bookings in which each of these words occurs, in any case, or is the id. What callers have booked may be
 * sealed, so that the database cannot search it: the rows are read in their order and opened.
 */
export async function searchBookings<Row extends SearchedBooking>(
  list: (page: { readonly limit: number; readonly cursor?: string }) => Promise<readonly Row[]>,
  search: string,
  { limit = Number.POSITIVE_INFINITY, cursor }: PageRequest,
): Promise<Page<Row>> {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found: Row[] = [];
  let after = cursor;
  for (let read = 0; read < MAX_SEARCHED_BOOKINGS; read += ROWS_AT_ONCE) {
    const rows = await list({
      limit: ROWS_AT_ONCE,
      ...(after === undefined ? {} : { cursor: after }),
    });
    for (const row of rows) {
      if (!isFound(row, words)) continue;
      const last = found.at(-1);
      if (last && found.length === limit) return { items: found, nextCursor: last.id };
      found.push(row);
    }
    if (rows.length < ROWS_AT_ONCE) break;
    after = rows.at(-1)?.id;
  }
  return { items: found };
}

function isFound(
  { id, name, phone, notes, reference = '' }: SearchedBooking,
  words: readonly string[],
): boolean {
  const text = [name, phone, notes, reference].join('\n').toLowerCase();
  return words.every((word) => text.includes(word) || id === word);
}
