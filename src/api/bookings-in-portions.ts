import { type PageRequest, toPage } from '../store/page.ts';
import { type SearchedBooking, searchBookings } from '../store/search-bookings.ts';
import { type Portions, pageInPortions } from './portions.ts';

const MAX_LISTED = 1000;

interface ListQuery extends PageRequest {
  readonly search?: string | undefined;
}

/** A page of what is booked, in portions: of all of it, or of that in which words occur. */
export function bookingsInPortions<Row extends SearchedBooking>(
  { search = '', limit = MAX_LISTED, cursor }: ListQuery,
  list: (page: { readonly limit: number; readonly cursor?: string }) => Promise<readonly Row[]>,
  onNext: (cursor: string) => void,
): Portions<Row> {
  return pageInPortions(
    { limit, ...(cursor === undefined ? {} : { cursor }) },
    async ({ limit: rows = MAX_LISTED, ...page }) =>
      search.trim() === ''
        ? toPage(await list({ ...page, limit: rows + 1 }), rows)
        : searchBookings(list, search, { ...page, limit: rows }),
    onNext,
  );
}
