import { z } from 'zod';
import { IdSchema } from '../atoms.ts';
import {
  AppointmentInputSchema,
  AppointmentSchema,
  CalendarConfigSchema,
  CalendarEditableSchema,
  CalendarSchema,
  SlotSchema,
} from '../calendar.ts';
import { mergePatchSchema } from '../merge-patch.ts';
import { operation } from '../operation.ts';
import { IdParamsSchema, PageQuerySchema, queryInteger } from './parameters.ts';

const tag = 'Calendars';
const path = '/assistants/v1/calendars';
const calendar = { status: 200, description: 'The calendar.', schema: CalendarSchema } as const;
const appointment = {
  status: 200,
  description: 'The appointment.',
  schema: AppointmentSchema,
} as const;
const AppointmentParamsSchema = IdParamsSchema.extend({ appointmentId: z.string() });

export const calendarOperations = {
  list: operation({
    id: 'listCalendars',
    method: 'GET',
    path,
    tag,
    summary: 'List the calendars',
    query: PageQuerySchema,
    response: {
      status: 200,
      description: 'The calendars, newest first.',
      schema: z.array(CalendarSchema),
    },
    errors: ['invalid'],
    paged: true,
  }),
  create: operation({
    id: 'createCalendar',
    method: 'POST',
    path,
    tag,
    summary: 'Create a calendar',
    description: 'Assistants with the predefined tool `appointment` book in it.',
    body: CalendarConfigSchema,
    response: { ...calendar, status: 201 },
    errors: ['invalid'],
    idempotent: true,
  }),
  get: operation({
    id: 'getCalendar',
    method: 'GET',
    path: `${path}/{id}`,
    tag,
    summary: 'Get a calendar',
    params: IdParamsSchema,
    response: calendar,
    errors: ['missing'],
    conditional: true,
  }),
  patch: operation({
    id: 'updateCalendar',
    method: 'PATCH',
    path: `${path}/{id}`,
    tag,
    summary: 'Update a calendar',
    description: 'JSON Merge Patch (RFC 7396). Booked appointments stay unchanged.',
    params: IdParamsSchema,
    body: mergePatchSchema(CalendarEditableSchema).meta({ title: 'CalendarPatch' }),
    response: calendar,
    errors: ['invalid', 'missing', 'conflict'],
    conditional: true,
  }),
  remove: operation({
    id: 'deleteCalendar',
    method: 'DELETE',
    path: `${path}/{id}`,
    tag,
    summary: 'Delete a calendar',
    description: 'Its appointments are deleted as well.',
    params: IdParamsSchema,
    response: { status: 200, description: 'Deleted.', schema: z.strictObject({ id: IdSchema }) },
    errors: ['missing'],
  }),
  slots: operation({
    id: 'listSlots',
    method: 'GET',
    path: `${path}/{id}/slots`,
    tag,
    summary: 'List the free slots',
    params: IdParamsSchema,
    query: z.strictObject({
      date: z.iso.date().optional().describe('The first day; today when it is absent.'),
      days: queryInteger(1, 62).default(7),
    }),
    response: {
      status: 200,
      description: 'The times that can still be booked, in order.',
      schema: z.array(SlotSchema),
    },
    errors: ['invalid', 'missing'],
  }),
  appointments: operation({
    id: 'listAppointments',
    method: 'GET',
    path: `${path}/{id}/appointments`,
    tag,
    summary: 'List the appointments',
    params: IdParamsSchema,
    query: z.strictObject({
      from: z.iso.datetime({ offset: true }).optional().describe('Now when it is absent.'),
      to: z.iso.datetime({ offset: true }).optional().describe('Default: one year after `from`.'),
    }),
    response: {
      status: 200,
      description: 'The booked appointments in order of time; at most 1000.',
      schema: z.array(AppointmentSchema),
    },
    errors: ['invalid', 'missing'],
  }),
  book: operation({
    id: 'bookAppointment',
    method: 'POST',
    path: `${path}/{id}/appointments`,
    tag,
    summary: 'Book an appointment',
    params: IdParamsSchema,
    body: AppointmentInputSchema,
    response: { ...appointment, status: 201 },
    errors: ['invalid', 'missing', 'conflict'],
    idempotent: true,
  }),
  move: operation({
    id: 'moveAppointment',
    method: 'PUT',
    path: `${path}/{id}/appointments/{appointmentId}`,
    tag,
    summary: 'Move an appointment',
    params: AppointmentParamsSchema,
    body: AppointmentInputSchema.pick({ startAt: true }).meta({ title: 'AppointmentMove' }),
    response: appointment,
    errors: ['invalid', 'missing', 'conflict'],
  }),
  cancel: operation({
    id: 'cancelAppointment',
    method: 'DELETE',
    path: `${path}/{id}/appointments/{appointmentId}`,
    tag,
    summary: 'Cancel an appointment',
    params: AppointmentParamsSchema,
    response: appointment,
    errors: ['missing'],
  }),
} as const;
