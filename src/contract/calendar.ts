import { z } from 'zod';
import { DateTimeSchema, IdSchema, text } from './atoms.ts';

/** In the order of the ISO week, Monday first. */
export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

export const TimeZoneSchema = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be a time zone, such as Europe/Berlin')
  .default('UTC');

/** True for a name of the IANA database. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

const ClockTimeSchema = z
  .string()
  .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time of day, such as 09:00');

const HoursSchema = z
  .array(z.strictObject({ from: ClockTimeSchema, to: ClockTimeSchema }))
  .max(10)
  .check((context) => {
    let end = '';
    for (const [index, { from, to }] of context.value.entries()) {
      const refuse = (path: string, message: string) =>
        context.issues.push({ code: 'custom', path: [index, path], message, input: context.value });
      if (to <= from) refuse('to', 'must be later than from');
      if (from < end) refuse('from', 'must not be earlier than the hours before it end');
      end = to;
    }
  });

const WORKDAY = [{ from: '09:00', to: '17:00' }];

const OpeningHoursSchema = z
  .strictObject(
    Object.fromEntries(WEEKDAYS.map((day) => [day, HoursSchema.default([])])) as Record<
      (typeof WEEKDAYS)[number],
      z.ZodDefault<typeof HoursSchema>
    >,
  )
  .default({
    monday: WORKDAY,
    tuesday: WORKDAY,
    wednesday: WORKDAY,
    thursday: WORKDAY,
    friday: WORKDAY,
    saturday: [],
    sunday: [],
  });

const fields = {
  name: text(200).regex(/\S/, 'must not be blank'),
  assistantIds: z
    .array(IdSchema)
    .max(1000)
    .default([])
    .describe(
      'The assistants that book here; empty: all of the team that no other calendar names.',
    ),
  timezone: TimeZoneSchema,
  slotMinutes: z.int().min(5).max(1440).default(30).describe('Duration of an appointment.'),
  capacity: z.int().min(1).max(1000).default(1).describe('Appointments at the same time.'),
  leadMinutes: z
    .int()
    .min(0)
    .max(43_200)
    .default(60)
    .describe('How long before its start an appointment can be booked at the latest.'),
  horizonDays: z
    .int()
    .min(1)
    .max(366)
    .default(60)
    .describe('How far ahead an appointment can be booked.'),
  openingHours: OpeningHoursSchema.describe('In the time zone of the calendar.'),
  closedDates: z.array(z.iso.date()).max(1000).default([]).describe('Days that are closed.'),
};

/** The configuration of a calendar. */
export const CalendarConfigSchema = z.strictObject(fields).meta({ title: 'CalendarInput' });
export const CalendarEditableSchema = z.strictObject(fields);

export const CalendarSchema = z
  .strictObject({
    _id: IdSchema,
    teamId: IdSchema,
    ...fields,
    feedUrl: z
      .string()
      .describe('URL of an iCalendar feed of the appointments. Anyone who knows it can read them.'),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  })
  .meta({ title: 'Calendar' });

export const SlotSchema = z
  .strictObject({
    startAt: DateTimeSchema,
    endAt: DateTimeSchema,
    left: z.int().describe('Appointments that can still be booked at that time.'),
  })
  .meta({ title: 'Slot' });

export const AppointmentInputSchema = z
  .strictObject({
    startAt: DateTimeSchema.describe('The start of a free slot.'),
    name: text(200).regex(/\S/, 'must not be blank'),
    phone: text(40).default(''),
    notes: text(2000).default(''),
  })
  .meta({ title: 'AppointmentInput' });

export const AppointmentSchema = z
  .strictObject({
    _id: IdSchema,
    calendarId: IdSchema,
    reference: z.string().describe('A reference for callers.'),
    status: z.enum(['booked', 'cancelled']),
    startAt: DateTimeSchema,
    endAt: DateTimeSchema,
    name: z.string(),
    phone: z.string(),
    notes: z.string(),
    callId: IdSchema.optional().describe('The call that booked it.'),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  })
  .meta({ title: 'Appointment' });

export type CalendarConfig = z.output<typeof CalendarConfigSchema>;
export type Calendar = z.output<typeof CalendarSchema>;
export type Appointment = z.output<typeof AppointmentSchema>;
