import type {
  Calendar,
  CalendarPatch,
  WaitList,
  WaitListPatch,
} from '../../client/api.generated.ts';
import type { Client } from '../../client/client.ts';
import type { FieldTexts } from '../form/field-text.ts';
import type { Stored } from '../form/use-editor.ts';
import type { Values } from '../form/value-path.ts';

type Bookable = Calendar | WaitList;
type ListQuery = { readonly limit: number; readonly cursor?: string; readonly search?: string };

/** Calendars and wait lists: made, listed and set up in the same way. */
export interface Kind<R extends Bookable> {
  readonly at: '/calendars' | '/wait-lists';
  readonly title: string;
  readonly noun: string;
  readonly lead: string;
  /** What nobody has made yet is for. */
  readonly purpose: string;
  readonly schema: 'CalendarInput' | 'WaitListInput';
  readonly texts: FieldTexts;
  readonly fields: readonly string[];
  readonly open: (client: Client, query: ListQuery, signal?: AbortSignal) => Promise<Response>;
  readonly create: (client: Client, name: string) => Promise<R>;
  readonly read: (client: Client, id: string, signal?: AbortSignal) => Promise<Stored<R>>;
  readonly patch: (client: Client, id: string, patch: Values, tag: string) => Promise<Stored<R>>;
  readonly remove: (client: Client, id: string) => Promise<unknown>;
}

const ASSISTANTS = {
  label: 'Assistants',
  widget: 'assistants',
  help: 'Assistants that may use it. Default: every assistant without one of its own.',
} as const;

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const dayTexts: FieldTexts = Object.fromEntries(
  DAYS.flatMap((day) => [
    [
      `openingHours.${day}`,
      { label: day.charAt(0).toUpperCase() + day.slice(1), item: 'hours', help: '' },
    ],
    [`openingHours.${day}.*.from`, { label: 'From', placeholder: '09:00' }],
    [`openingHours.${day}.*.to`, { label: 'To', placeholder: '17:00' }],
  ]),
);

const signalOf = (signal: AbortSignal | undefined) => (signal ? { signal } : {});

export const CALENDARS: Kind<Calendar> = {
  at: '/calendars',
  title: 'Calendars',
  noun: 'calendar',
  lead: 'Opening hours and booked appointments.',
  purpose: 'Assistants that may make appointments offer its free times to callers and book them.',
  schema: 'CalendarInput',
  fields: [
    ...['name', 'assistantIds', 'timezone', 'slotMinutes', 'capacity', 'leadMinutes'],
    ...['horizonDays', ...DAYS.map((day) => `openingHours.${day}`), 'closedDates'],
  ],
  texts: {
    name: { label: 'Name', placeholder: 'Front desk' },
    assistantIds: ASSISTANTS,
    timezone: { label: 'Time zone', placeholder: 'Europe/Berlin' },
    slotMinutes: { label: 'Length of an appointment', unit: 'minutes' },
    capacity: { label: 'Appointments at the same time' },
    leadMinutes: { label: 'Shortest notice', unit: 'minutes' },
    horizonDays: { label: 'Bookable ahead', unit: 'days' },
    ...dayTexts,
    closedDates: { label: 'Closed days', item: 'day', help: 'Such as 2026-12-24.' },
  },
  open: (client, query, signal) => client.open('listCalendars', { query, ...signalOf(signal) }),
  create: (client, name) => client.call('createCalendar', { body: { name } }),
  read: async (client, id, signal) =>
    storedCalendar(await client.open('getCalendar', { path: { id }, ...signalOf(signal) })),
  patch: async (client, id, patch, ifMatch) =>
    storedCalendar(
      await client.open('updateCalendar', { path: { id }, body: patch as CalendarPatch, ifMatch }),
    ),
  remove: (client, id) => client.call('deleteCalendar', { path: { id } }),
};

async function storedCalendar(response: Response): Promise<Stored<Calendar>> {
  const record = (await response.json()) as Calendar;
  const { _id, teamId, feedUrl, createdAt, updatedAt, ...config } = record;
  return { record, config, tag: response.headers.get('etag') ?? '' };
}

export const WAIT_LISTS: Kind<WaitList> = {
  at: '/wait-lists',
  title: 'Wait lists',
  noun: 'wait list',
  lead: 'Callers waiting for a place, first come, first served.',
  purpose: 'Assistants that may keep a wait list put callers on it.',
  schema: 'WaitListInput',
  fields: ['name', 'assistantIds', 'maxEntries'],
  texts: {
    name: { label: 'Name', placeholder: 'Cancellations' },
    assistantIds: ASSISTANTS,
    maxEntries: { label: 'Longest list', unit: 'entries' },
  },
  open: (client, query, signal) => client.open('listWaitLists', { query, ...signalOf(signal) }),
  create: (client, name) => client.call('createWaitList', { body: { name } }),
  read: async (client, id, signal) =>
    storedWaitList(await client.open('getWaitList', { path: { id }, ...signalOf(signal) })),
  patch: async (client, id, patch, ifMatch) =>
    storedWaitList(
      await client.open('updateWaitList', { path: { id }, body: patch as WaitListPatch, ifMatch }),
    ),
  remove: (client, id) => client.call('deleteWaitList', { path: { id } }),
};

async function storedWaitList(response: Response): Promise<Stored<WaitList>> {
  const record = (await response.json()) as WaitList;
  const { _id, teamId, waiting, createdAt, updatedAt, ...config } = record;
  return { record, config, tag: response.headers.get('etag') ?? '' };
}
