import { DateTime } from 'luxon';
import type { Contract } from '../../contract/contract.ts';
import { Problem } from '../../contract/errors.ts';
import { getAppointment, listBooked } from '../../store/appointments.ts';
import {
  createCalendar,
  deleteCalendar,
  getCalendar,
  listCalendars,
} from '../../store/calendars.ts';
import {
  bookAppointment,
  cancelAppointment,
  findFreeSlots,
  moveAppointment,
  SlotTakenError,
} from '../../tools/appointment/booking.ts';
import { bookingsInPortions } from '../bookings-in-portions.ts';
import { patchCalendar } from '../calendars/patch.ts';
import { presentAppointment, presentCalendar } from '../calendars/present.ts';
import type { ApiDeps } from '../deps.ts';
import { serveList, servePages } from '../list-route.ts';
import { linkNextPage } from '../paging.ts';
import { type Routing, serve } from '../route.ts';

const YEAR_MS = 366 * 86_400_000;

export function calendarRoutes(
  routing: Routing,
  operations: Contract['calendars'],
  deps: Pick<ApiDeps, 'db' | 'publicUrl'> & { readonly now: () => number },
): void {
  const { db, publicUrl, now } = deps;

  servePages(routing, operations.list, {
    read: (params) => listCalendars(db, params),
    present: (item, request) => presentCalendar(item, publicUrl(request)),
  });

  serve(routing, operations.create, async ({ teamId, body, request }) =>
    presentCalendar(await createCalendar(db, { teamId, config: body }), publicUrl(request)),
  );

  serve(routing, operations.get, async ({ teamId, params, request }) =>
    presentCalendar(await getCalendar(db, { teamId, id: params.id }), publicUrl(request)),
  );

  serve(routing, operations.patch, async ({ teamId, params, body, ifMatch, request }) => {
    const baseUrl = publicUrl(request);
    const patch = { teamId, id: params.id, patch: body, ifMatch, baseUrl };
    return presentCalendar(await patchCalendar(db, patch), baseUrl);
  });

  serve(routing, operations.remove, async ({ teamId, params }) => {
    await deleteCalendar(db, { teamId, id: params.id });
    return { id: params.id };
  });

  appointmentRoutes(routing, operations, { db, now });
}

function appointmentRoutes(
  routing: Routing,
  operations: Contract['calendars'],
  { db, now }: { readonly db: ApiDeps['db']; readonly now: () => number },
): void {
  const placeOf = async (teamId: string, id: string) => ({
    calendar: await getCalendar(db, { teamId, id }),
    now,
  });

  serve(routing, operations.slots, async ({ teamId, params, query }) => {
    const place = await placeOf(teamId, params.id);
    const { timezone: zone } = place.calendar.config;
    const fromDate = query.date ?? DateTime.fromMillis(now(), { zone }).toISODate() ?? '';
    const slots = await findFreeSlots(db, place, { fromDate, days: query.days });
    return slots.map(({ startMs, endMs, left }) => ({
      startAt: new Date(startMs).toISOString(),
      endAt: new Date(endMs).toISOString(),
      left,
    }));
  });

  serveList(routing, operations.appointments, async ({ teamId, params, query, request, reply }) => {
    const { id: calendarId } = await getCalendar(db, { teamId, id: params.id });
    const from = query.from ? new Date(query.from) : new Date(now());
    const to = query.to ? new Date(query.to) : new Date(from.getTime() + YEAR_MS);
    const portions = bookingsInPortions(
      query,
      (page) => listBooked(db, { calendarId, from, to, ...page }),
      (nextCursor) => linkNextPage(request, reply, { nextCursor }),
    );
    return { portions, present: presentAppointment };
  });

  serve(routing, operations.book, async ({ teamId, params, body }) => {
    const { startAt, ...who } = body;
    const place = await placeOf(teamId, params.id);
    const wish = { ...who, startMs: Date.parse(startAt), callId: null, requestKey: null };
    return presentAppointment(await orTaken(() => bookAppointment(db, place, wish)));
  });

  serve(routing, operations.move, async ({ teamId, params, body }) => {
    const place = await placeOf(teamId, params.id);
    const { id: calendarId } = place.calendar;
    const appointment = await getAppointment(db, { calendarId, id: params.appointmentId });
    if (appointment.status === 'cancelled')
      throw new Problem({ kind: 'conflict', message: 'The appointment is cancelled' });
    const startMs = Date.parse(body.startAt);
    return presentAppointment(
      await orTaken(() => moveAppointment(db, place, appointment, startMs)),
    );
  });

  serve(routing, operations.cancel, async ({ teamId, params }) => {
    const { id: calendarId } = await getCalendar(db, { teamId, id: params.id });
    const appointment = await getAppointment(db, { calendarId, id: params.appointmentId });
    return presentAppointment(await cancelAppointment(db, appointment));
  });
}

async function orTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SlotTakenError)) throw error;
    const near = error.nearby.map(({ startMs }) => new Date(startMs).toISOString());
    const free = near.length > 0 ? `; free near it: ${near.join(', ')}` : '';
    throw new Problem({ kind: 'conflict', message: `That time is not free${free}`, cause: error });
  }
}
