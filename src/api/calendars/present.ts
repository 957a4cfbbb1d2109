import type { Appointment, Calendar } from '../../contract/calendar.ts';
import type { AppointmentRecord } from '../../store/appointments.ts';
import type { CalendarRecord } from '../../store/calendars.ts';

/** Where a calendar's feed is read, beneath the service's address. */
export const FEED_PATH = '/calendars/';

export function presentCalendar(record: CalendarRecord, baseUrl: string): Calendar {
  return {
    _id: record.id,
    teamId: record.teamId,
    ...record.config,
    feedUrl: `${baseUrl}${FEED_PATH}${record.feedToken}.ics`,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

export function presentAppointment(record: AppointmentRecord): Appointment {
  const { id, calendarId, reference, status, name, phone, notes, callId } = record;
  return {
    _id: id,
    calendarId,
    reference,
    status,
    startAt: record.startAt.toISOString(),
    endAt: record.endAt.toISOString(),
    name,
    phone,
    notes,
    ...(callId === null ? {} : { callId }),
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}
