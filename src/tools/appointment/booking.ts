import { DateTime } from 'luxon';
import {
  type AppointmentRecord,
  changeAppointment,
  findAppointmentByRequest,
  insertAppointment,
  listBooked,
  listBookedTimes,
  lockCalendar,
} from '../../store/appointments.ts';
import type { CalendarRecord } from '../../store/calendars.ts';
import type { Db } from '../../store/db.ts';
import { freeSlots, type Slot } from './slots.ts';

const DAY_MS = 86_400_000;
/** Appointments that are looked at for the free slots of a window; beyond the last one, nothing counts as free. */
export const MAX_BOOKED = 10_000;
/** At one instant, of one caller's wish. */
const MAX_SAME_TIME = 1000;

/** The requested time cannot be booked; carries nearby times that can. */
export class SlotTakenError extends Error {
  override readonly name = 'SlotTakenError';
  readonly nearby: readonly Slot[];

  constructor(nearby: readonly Slot[]) {
    super('that time is not free');
    this.nearby = nearby;
  }
}

interface InCalendar {
  readonly calendar: CalendarRecord;
  /** Unix ms. */
  readonly now: () => number;
}

/** The free slots of a calendar, by day in the calendar's time zone. */
export async function findFreeSlots(
  db: Db,
  { calendar, now }: InCalendar,
  range: { readonly fromDate: string; readonly days: number; readonly without?: string },
): Promise<readonly Slot[]> {
  const { timezone: zone } = calendar.config;
  const from = DateTime.fromISO(range.fromDate, { zone });
  if (!from.isValid) return [];
  const booked = await listBookedTimes(db, {
    calendarId: calendar.id,
    from: new Date(from.toMillis() - DAY_MS),
    to: new Date(from.plus({ days: range.days + 1 }).toMillis()),
    limit: MAX_BOOKED,
  });
  const spans = booked
    .filter(({ id }) => id !== range.without)
    .map(({ startAt, endAt }) => ({ startMs: startAt.getTime(), endMs: endAt.getTime() }));
  const slots = freeSlots(calendar.config, spans, { nowMs: now(), ...range });
  const lastKnown = booked.length < MAX_BOOKED ? undefined : booked.at(-1)?.startAt.getTime();
  return lastKnown === undefined ? slots : slots.filter(({ endMs }) => endMs <= lastKnown);
}

/** Locks the calendar and returns the free slot that starts then. Throws {@link SlotTakenError}. */
async function claimSlot(
  tx: Db,
  place: InCalendar,
  startMs: number,
  without?: string,
): Promise<Slot> {
  await lockCalendar(tx, { calendarId: place.calendar.id });
  const fromDate = DateTime.fromMillis(startMs, {
    zone: place.calendar.config.timezone,
  }).toISODate();
  const range = { fromDate: fromDate ?? '', days: 3, ...(without ? { without } : {}) };
  const free = await findFreeSlots(tx, place, range);
  const slot = free.find((candidate) => candidate.startMs === startMs);
  if (!slot) throw new SlotTakenError(nearest(free, startMs));
  return slot;
}

function nearest(slots: readonly Slot[], startMs: number): readonly Slot[] {
  const distance = (slot: Slot) => Math.abs(slot.startMs - startMs);
  return slots
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, 3)
    .sort((a, b) => a.startMs - b.startMs);
}

/** Books a slot; a repeated request returns the appointment it made before. Throws {@link SlotTakenError}. */
export async function bookAppointment(
  db: Db,
  place: InCalendar,
  wish: Pick<AppointmentRecord, 'name' | 'phone' | 'notes' | 'callId' | 'requestKey'> & {
    readonly startMs: number;
  },
): Promise<AppointmentRecord> {
  const { startMs, ...who } = wish;
  return db.transaction(async (tx) => {
    await lockCalendar(tx, { calendarId: place.calendar.id });
    const { requestKey } = who;
    const done = requestKey ? await findAppointmentByRequest(tx, { requestKey }) : undefined;
    if (done) return done;
    // A model that repeats its request after the booking does not want a second appointment.
    const same = await listBooked(tx, {
      calendarId: place.calendar.id,
      from: new Date(startMs),
      to: new Date(startMs + 1),
      limit: MAX_SAME_TIME,
    });
    const own = same.find(
      ({ startAt, name, phone }) =>
        startAt.getTime() === startMs && name === who.name && phone === who.phone,
    );
    if (own) return own;
    const slot = await claimSlot(tx, place, startMs);
    return insertAppointment(tx, {
      calendarId: place.calendar.id,
      startAt: new Date(slot.startMs),
      endAt: new Date(slot.endMs),
      ...who,
    });
  });
}

/** Moves an appointment to a free slot; moving it to its own time changes nothing. */
export async function moveAppointment(
  db: Db,
  place: InCalendar,
  appointment: AppointmentRecord,
  startMs: number,
): Promise<AppointmentRecord> {
  if (appointment.startAt.getTime() === startMs) return appointment;
  return db.transaction(async (tx) => {
    const slot = await claimSlot(tx, place, startMs, appointment.id);
    const span = { startAt: new Date(slot.startMs), endAt: new Date(slot.endMs) };
    return changeAppointment(tx, appointment, span);
  });
}

/** Cancels an appointment; a cancelled one stays cancelled. */
export async function cancelAppointment(
  db: Db,
  appointment: AppointmentRecord,
): Promise<AppointmentRecord> {
  if (appointment.status === 'cancelled') return appointment;
  return changeAppointment(db, appointment, { status: 'cancelled' });
}
