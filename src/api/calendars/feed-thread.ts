import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { answerTasks } from '../../lib/compute-thread.ts';

/** A calendar to be written as iCalendar, on a thread since thousands of events take most of a second. */
export interface FeedTask {
  readonly name: string;
  readonly events: readonly FeedEvent[];
}

export interface FeedEvent {
  readonly id: string;
  readonly startAt: Date;
  readonly endAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly revision: number;
  readonly name: string;
  readonly description: string;
}

answerTasks(({ name, events }: FeedTask): string => {
  const feed = ical({
    name,
    prodId: { company: 'Parley', product: 'appointments' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: 300,
  });
  for (const event of events) {
    feed.createEvent({
      id: event.id,
      start: event.startAt,
      end: event.endAt,
      created: event.createdAt,
      lastModified: event.updatedAt,
      sequence: event.revision,
      status: ICalEventStatus.CONFIRMED,
      summary: event.name,
      description: event.description,
    });
  }
  return feed.toString();
});
