import { randomInt } from 'node:crypto';
import { and, asc, eq, gt, lt, sql } from 'drizzle-orm';
import { uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { NotFoundError } from './errors.ts';
import { appointments, calendars } from './schema/calendars.ts';
import { openedBookings, sealedBooking } from './sealed-bookings.ts';
import { storableText } from './storable.ts';

export type AppointmentRecord = typeof appointments.$inferSelect;

interface InCalendar {
  readonly calendarId: string;
}

const opened = (db: Db, rows: readonly AppointmentRecord[]) =>
  openedBookings(db, 'appointments', rows);
const openedOne = async (db: Db, rows: readonly AppointmentRecord[]) =>
  (await opened(db, rows)).at(0);

/** Locks the appointments of a calendar until the transaction ends. */
export async function lockCalendar(tx: Db, { calendarId }: InCalendar): Promise<void> {
  await tx
    .select({ id: calendars.id })
    .from(calendars)
    .where(eq(calendars.id, calendarId))
    .for('no key update');
}

interface Window extends InCalendar {
  readonly from: Date;
  readonly to: Date;
  readonly limit: number;
}

const bookedWithin = ({ calendarId, from, to }: Window) =>
  and(
    eq(appointments.calendarId, calendarId),
    eq(appointments.status, 'booked'),
    lt(appointments.startAt, to),
    gt(appointments.endAt, from),
  );

/** Booked appointments that overlap a time span, by start, up to a limit. */
export async function listBooked(
  db: Db,
  params: Window & { /** After this one. */ readonly cursor?: string | undefined },
): Promise<readonly AppointmentRecord[]> {
  const { calendarId, cursor } = params;
  const after =
    cursor === undefined
      ? undefined
      : sql`(start_at, id) > (select start_at, id from appointments
          where id = ${storableText(cursor)} and calendar_id = ${calendarId})`;
  const rows = await db
    .select()
    .from(appointments)
    .where(and(bookedWithin(params), after))
    .orderBy(asc(appointments.startAt), asc(appointments.id))
    .limit(params.limit);
  return opened(db, rows);
}

/** Only the times of those appointments. */
export async function listBookedTimes(
  db: Db,
  params: Window,
): Promise<readonly Pick<AppointmentRecord, 'id' | 'startAt' | 'endAt'>[]> {
  const { id, startAt, endAt } = appointments;
  return db
    .select({ id, startAt, endAt })
    .from(appointments)
    .where(bookedWithin(params))
    .orderBy(asc(startAt), asc(id))
    .limit(params.limit);
}

export async function findAppointmentByRequest(
  db: Db,
  params: { readonly requestKey: string },
): Promise<AppointmentRecord | undefined> {
  const rows = await db
    .select()
    .from(appointments)
    .where(eq(appointments.requestKey, params.requestKey));
  return openedOne(db, rows);
}

export async function findAppointmentByReference(
  db: Db,
  params: InCalendar & { readonly reference: string },
): Promise<AppointmentRecord | undefined> {
  const rows = await db
    .select()
    .from(appointments)
    .where(
      and(
        eq(appointments.calendarId, params.calendarId),
        eq(appointments.reference, params.reference),
      ),
    );
  return openedOne(db, rows);
}

/** Future appointments of a phone number. */
export async function listUpcomingOfPhone(
  db: Db,
  params: InCalendar & { readonly phone: string; readonly now: Date },
): Promise<readonly AppointmentRecord[]> {
  const rows = await db
    .select()
    .from(appointments)
    .where(
      and(
        eq(appointments.calendarId, params.calendarId),
        eq(appointments.status, 'booked'),
        eq(appointments.phone, params.phone),
        gt(appointments.endAt, params.now),
      ),
    )
    .orderBy(asc(appointments.startAt))
    .limit(20);
  return opened(db, rows);
}

export async function getAppointment(
  db: Db,
  params: InCalendar & { readonly id: string },
): Promise<AppointmentRecord> {
  const rows = await db
    .select()
    .from(appointments)
    .where(and(eq(appointments.calendarId, params.calendarId), eq(appointments.id, params.id)));
  const row = await openedOne(db, rows);
  if (!row) throw new NotFoundError('appointment', params.id);
  return row;
}

// Characters that neither look nor sound alike.
const LETTERS = 'ACEFHKLMPRTWXY3479';
const REFERENCE_CHARS = 5;

const newReference = () =>
  Array.from({ length: REFERENCE_CHARS }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** Does not check that the time is free: callers do that under {@link lockCalendar}. */
export async function insertAppointment(
  tx: Db,
  params: Pick<
    AppointmentRecord,
    'calendarId' | 'startAt' | 'endAt' | 'name' | 'phone' | 'notes' | 'callId' | 'requestKey'
  >,
): Promise<AppointmentRecord> {
  let reference = newReference();
  while (await findAppointmentByReference(tx, { ...params, reference })) reference = newReference();
  const now = new Date();
  const id = uuidv7(now.getTime());
  const sealed = await sealedBooking(tx, 'appointments', { ...params, id, of: params.calendarId });
  const rows = await tx
    .insert(appointments)
    .values({
      id,
      ...params,
      ...sealed,
      reference,
      status: 'booked',
      createdAt: now,
      updatedAt: now,
    })
    .returning();
  return (await openedOne(tx, rows)) as AppointmentRecord;
}

/** Moves or cancels an appointment. */
export async function changeAppointment(
  tx: Db,
  { id, revision }: Pick<AppointmentRecord, 'id' | 'revision'>,
  change: { readonly startAt: Date; readonly endAt: Date } | { readonly status: 'cancelled' },
): Promise<AppointmentRecord> {
  const rows = await tx
    .update(appointments)
    .set({ ...change, revision: revision + 1, updatedAt: new Date() })
    .where(eq(appointments.id, id))
    .returning();
  const row = await openedOne(tx, rows);
  if (!row) throw new NotFoundError('appointment', id);
  return row;
}
