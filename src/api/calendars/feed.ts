import type { FastifyPluginAsync } from 'fastify';
import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { missing } from '../../contract/errors.ts';
import { listBooked } from '../../store/appointments.ts';
import { findCalendarByFeed } from '../../store/calendars.ts';
import type { Db } from '../../store/db.ts';
import { FEED_PATH } from './present.ts';

const PAST_MS = 31 * 86_400_000;
const AHEAD_MS = 400 * 86_400_000;
const MAX_EVENTS = 5000;

/** A calendar's appointments for calendar programs, which have no key: whoever knows the address reads them. */
export function calendarFeed({ db }: { readonly db: Db }): FastifyPluginAsync {
  return async (app) => {
    app.get<{ Params: { file: string } }>(`${FEED_PATH}:file`, async (request, reply) => {
      const [, token] = /^([\w-]{32})\.ics$/.exec(request.params.file) ?? [];
      const calendar = token ? await findCalendarByFeed(db, { token }) : undefined;
      if (!calendar) throw missing('calendar');
      const now = Date.now();
      const booked = await listBooked(db, {
        calendarId: calendar.id,
        from: new Date(now - PAST_MS),
        to: new Date(now + AHEAD_MS),
        limit: MAX_EVENTS,
      });
      const feed = ical({
        name: calendar.config.name,
        prodId: { company: 'Parley', product: 'appointments' },
        method: ICalCalendarMethod.PUBLISH,
        ttl: 300,
      });
      for (const { id, startAt, endAt, name, phone, notes, reference, ...rest } of booked) {
        feed.createEvent({
          id,
          start: startAt,
          end: endAt,
          created: rest.createdAt,
          lastModified: rest.updatedAt,
          sequence: rest.revision,
          status: ICalEventStatus.CONFIRMED,
          summary: name,
          description: [phone, notes, reference].filter((line) => line !== '').join('\n'),
        });
      }
      return reply
        .type('text/calendar; charset=utf-8')
        .header('cache-control', 'private, max-age=60')
        .send(feed.toString());
    });
  };
}
