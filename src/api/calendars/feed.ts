import type { FastifyPluginAsync } from 'fastify';
import { missing, Problem } from '../../contract/errors.ts';
import { ComputeError, ComputePool } from '../../lib/compute-pool.ts';
import { type AppointmentRecord, listBooked } from '../../store/appointments.ts';
import { type CalendarRecord, findCalendarByFeed } from '../../store/calendars.ts';
import type { Db } from '../../store/db.ts';
import { getTeam } from '../../store/teams.ts';
import type { FeedTask } from './feed-thread.ts';
import { FEED_PATH } from './present.ts';

const PAST_MS = 31 * 86_400_000;
const AHEAD_MS = 400 * 86_400_000;
const MAX_EVENTS = 5000;
const DEADLINE_MS = 10_000;
const MAX_WAITING = 8;
const RETRY_AFTER_SECONDS = 5;

type Feeds = ComputePool<FeedTask, string>;

/** Serves a calendar's appointments to calendar programs. They have no API key: the secret address gives access. */
export function calendarFeed({ db }: { readonly db: Db }): FastifyPluginAsync {
  return async (app) => {
    const entry = new URL('./feed-thread.ts', import.meta.url);
    const feeds: Feeds = new ComputePool({ entry, maxWaitingPerTeam: MAX_WAITING });
    app.addHook('onClose', async () => feeds.close());
    app.get<{ Params: { file: string } }>(`${FEED_PATH}:file`, async (request, reply) => {
      const [, token] = /^([\w-]{32})\.ics$/.exec(request.params.file) ?? [];
      const calendar = token ? await findCalendarByFeed(db, { token }) : undefined;
      if (!calendar || (await getTeam(db, calendar)).suspendedAt) throw missing('calendar');
      const now = Date.now();
      const booked = await listBooked(db, {
        calendarId: calendar.id,
        from: new Date(now - PAST_MS),
        to: new Date(now + AHEAD_MS),
        limit: MAX_EVENTS,
      });
      const text = await write(feeds, calendar, booked);
      return reply
        .type('text/calendar; charset=utf-8')
        .header('cache-control', 'private, max-age=60')
        .send(text);
    });
  };
}

async function write(
  feeds: Feeds,
  { teamId, config }: CalendarRecord,
  booked: readonly AppointmentRecord[],
): Promise<string> {
  const events = booked.map(({ phone, notes, reference, ...event }) => ({
    id: event.id,
    startAt: event.startAt,
    endAt: event.endAt,
    createdAt: event.createdAt,
    updatedAt: event.updatedAt,
    revision: event.revision,
    name: event.name,
    description: [phone, notes, reference].filter((line) => line !== '').join('\n'),
  }));
  try {
    const options = { team: teamId, deadlineMs: DEADLINE_MS };
    return await feeds.run({ name: config.name, events }, options);
  } catch (cause) {
    if (!(cause instanceof ComputeError) || cause.code === 'failed') throw cause;
    const message = 'The calendar cannot be written just now';
    throw new Problem({
      kind: 'unavailable',
      message,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause,
    });
  }
}
