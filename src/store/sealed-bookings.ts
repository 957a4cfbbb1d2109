import { eq } from 'drizzle-orm';
import type { Db } from './db.ts';
import { calendars } from './schema/calendars.ts';
import { waitLists } from './schema/wait-lists.ts';
import { contentOpener, contentSealer } from './sealed-content.ts';

/** Tables of what callers have booked, with their name and notes in words. */
export type BookingTable = 'appointments' | 'wait_list_entries';

interface Booking {
  readonly id: string;
  readonly name: string;
  readonly notes: string;
}

/** Where one of the two texts stands. */
export const bookingPlace = (table: BookingTable, id: string, part: 'name' | 'notes') => ({
  table,
  owner: id,
  part,
});

/** The texts as they are stored. `of`: the calendar, or the wait list. */
export async function sealedBooking(
  db: Db,
  table: BookingTable,
  { id, name, notes, of }: Booking & { readonly of: string },
): Promise<Pick<Booking, 'name' | 'notes'>> {
  const parent = table === 'appointments' ? calendars : waitLists;
  const [owner] = await db.select({ teamId: parent.teamId }).from(parent).where(eq(parent.id, of));
  // The row that is stored next is refused by the database.
  if (!owner) return { name, notes };
  const seal = await contentSealer(db, owner);
  return {
    name: seal.text(name, bookingPlace(table, id, 'name')),
    notes: seal.text(notes, bookingPlace(table, id, 'notes')),
  };
}

/** Opens rows of such a table. */
export async function openedBookings<Row extends Booking>(
  db: Db,
  table: BookingTable,
  rows: readonly Row[],
): Promise<Row[]> {
  const open = await contentOpener(
    db,
    rows.flatMap(({ name, notes }) => [name, notes]),
  );
  return rows.map((row) => ({
    ...row,
    name: open.text(row.name, bookingPlace(table, row.id, 'name')),
    notes: open.text(row.notes, bookingPlace(table, row.id, 'notes')),
  }));
}
