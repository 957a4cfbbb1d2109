import { DateTime } from 'luxon';
import type { LlmTool } from '../../ports/llm.ts';
import type { ToolInvocation } from '../../ports/tool.ts';
import {
  type AppointmentRecord,
  findAppointmentByReference,
  listUpcomingOfPhone,
} from '../../store/appointments.ts';
import { type CalendarRecord, findCalendarOfAssistant } from '../../store/calendars.ts';
import { type CallerDeps, phoneOf, Refusal, textOf } from '../caller.ts';
import type { HostedTool } from '../hosted-tool.ts';
import { createPredefinedTool } from '../predefined-tool.ts';
import {
  bookAppointment,
  cancelAppointment,
  findFreeSlots,
  moveAppointment,
  SlotTakenError,
} from './booking.ts';
import { APPOINTMENT_TOOLS } from './definitions.ts';
import type { Slot } from './slots.ts';

type Args = Readonly<Record<string, unknown>>;
interface Desk extends CallerDeps {
  readonly calendar: CalendarRecord;
  readonly now: () => number;
}

const MAX_LISTED = 12;

/** The tools of the predefined `appointment`: list free times, book, find, move and cancel. */
export function createAppointmentTools(deps: CallerDeps): readonly HostedTool[] {
  const hosted = (
    definition: LlmTool,
    readOnly: boolean,
    act: (desk: Desk, args: Args, invocation: ToolInvocation) => Promise<unknown>,
  ): HostedTool =>
    createPredefinedTool(deps, {
      definition,
      readOnly,
      act: async (invocation) => {
        const calendar = await findCalendarOfAssistant(deps.db, deps);
        if (!calendar) throw new Refusal('no calendar is set up: appointments cannot be made');
        return act(
          { ...deps, calendar, now: () => deps.clock.now() },
          invocation.arguments,
          invocation,
        );
      },
    });
  return [
    hosted(APPOINTMENT_TOOLS.slots, true, listSlots),
    hosted(APPOINTMENT_TOOLS.book, false, book),
    hosted(APPOINTMENT_TOOLS.find, true, find),
    hosted(APPOINTMENT_TOOLS.move, false, move),
    hosted(APPOINTMENT_TOOLS.cancel, false, cancel),
  ];
}

async function listSlots(desk: Desk, args: Args): Promise<unknown> {
  const { timezone: zone } = desk.calendar.config;
  const now = DateTime.fromMillis(desk.now(), { zone });
  const fromDate = textOf(args.date) || (now.toISODate() ?? '');
  if (!DateTime.fromISO(fromDate, { zone }).isValid) throw new Refusal(`${fromDate} is no day`);
  const days = typeof args.days === 'number' ? args.days : 7;
  const slots = (await findFreeSlots(desk.db, desk, { fromDate, days })).filter((slot) =>
    isIn(args.partOfDay, DateTime.fromMillis(slot.startMs, { zone }).hour),
  );
  return {
    now: now.toFormat("cccc, yyyy-MM-dd'T'HH:mm"),
    timezone: zone,
    free: spread(slots).map((slot) => say(desk, slot.startMs)),
    ...(slots.length > MAX_LISTED ? { moreTimesAreFree: slots.length - MAX_LISTED } : {}),
  };
}

function isIn(part: unknown, hour: number): boolean {
  if (part === 'morning') return hour < 12;
  if (part === 'afternoon') return hour >= 12 && hour < 17;
  return part !== 'evening' || hour >= 17;
}

// Spread over all days instead of the first few, because a caller wants a choice.
function spread(slots: readonly Slot[]): readonly Slot[] {
  if (slots.length <= MAX_LISTED) return slots;
  const step = slots.length / MAX_LISTED;
  return Array.from({ length: MAX_LISTED }, (_, i) => slots[Math.floor(i * step)] as Slot);
}

async function book(desk: Desk, args: Args, invocation: ToolInvocation): Promise<unknown> {
  const appointment = await orNearby(desk, () =>
    bookAppointment(desk.db, desk, {
      startMs: instant(desk, args.start),
      name: textOf(args.name),
      phone: phoneOf(args.phone) || phoneOf(desk.callerNumber),
      notes: textOf(args.notes),
      callId: invocation.callId,
      requestKey: `${invocation.callId}:${invocation.toolCallId}`,
    }),
  );
  return { ...show(desk, appointment), status: 'booked' };
}

async function find(desk: Desk, args: Args): Promise<unknown> {
  if (textOf(args.reference) !== '') return { appointments: [show(desk, await named(desk, args))] };
  return { appointments: (await ownAppointments(desk)).map((found) => show(desk, found)) };
}

async function move(desk: Desk, args: Args): Promise<unknown> {
  const appointment = await named(desk, args);
  if (appointment.status === 'cancelled') throw new Refusal('it was cancelled: book a new one');
  const startMs = instant(desk, args.newStart);
  const moved = await orNearby(desk, () => moveAppointment(desk.db, desk, appointment, startMs));
  return { ...show(desk, moved), status: 'moved' };
}

async function cancel(desk: Desk, args: Args): Promise<unknown> {
  const cancelled = await cancelAppointment(desk.db, await named(desk, args));
  return { status: 'cancelled', was: say(desk, cancelled.startAt.getTime()) };
}

/** Finds the one appointment that the arguments name; without a reference, the caller must be its owner. */
async function named(desk: Desk, args: Args): Promise<AppointmentRecord> {
  const reference = textOf(args.reference)
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');
  if (reference !== '') {
    const calendarId = desk.calendar.id;
    const found = await findAppointmentByReference(desk.db, { calendarId, reference });
    if (!found) throw new Refusal(`there is no appointment with the reference ${reference}`);
    return found;
  }
  const own = await ownAppointments(desk);
  const startMs = textOf(args.start) === '' ? undefined : instant(desk, args.start);
  const matching = own.filter(
    ({ startAt }) => startMs === undefined || startAt.getTime() === startMs,
  );
  if (matching.length === 1) return matching[0] as AppointmentRecord;
  if (own.length === 0)
    throw new Refusal("none is booked under the caller's number: ask for the reference");
  const times = own.map(({ startAt }) => say(desk, startAt.getTime()).start).join(', ');
  throw new Refusal(`say which one: there are appointments at ${times}`);
}

async function ownAppointments({ db, calendar, now, callerNumber }: Desk) {
  const phone = phoneOf(callerNumber);
  if (phone === '') return [];
  const at = new Date(now());
  return listUpcomingOfPhone(db, { calendarId: calendar.id, phone, now: at });
}

async function orNearby<T>(desk: Desk, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SlotTakenError)) throw error;
    const near = error.nearby.map(({ startMs }) => say(desk, startMs).start).join(', ');
    throw new Refusal(`that time is not free; free near it: ${near || 'nothing'}`);
  }
}

function instant({ calendar }: Desk, value: unknown): number {
  const at = DateTime.fromISO(textOf(value), { zone: calendar.config.timezone });
  if (!at.isValid) throw new Refusal(`${textOf(value)} is no time such as 2027-03-01T09:00`);
  return at.toMillis();
}

function say({ calendar, language }: Desk, ms: number): { start: string; say: string } {
  const at = DateTime.fromMillis(ms, { zone: calendar.config.timezone }).setLocale(language);
  return {
    start: at.toFormat("yyyy-MM-dd'T'HH:mm"),
    say: at.toLocaleString({
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      hour: 'numeric',
      minute: '2-digit',
    }),
  };
}

function show(desk: Desk, appointment: AppointmentRecord) {
  const { reference, name, startAt, status } = appointment;
  return { reference, name, status, ...say(desk, startAt.getTime()) };
}
