import { sql } from 'drizzle-orm';

/**
 * The instant that the times of a call's record count from: its session begins when the caller is connected. A call that
 * was never answered has its own start.
 */
export const countedFrom = sql`coalesce(calls.answered_at, calls.start_at)`;

/** The same of a call that was read. */
export const callBeganAt = ({
  answeredAt,
  startAt,
}: {
  readonly answeredAt: Date | null;
  readonly startAt: Date;
}): Date => answeredAt ?? startAt;
