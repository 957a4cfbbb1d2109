import { randomBytes } from 'node:crypto';
import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { CalendarConfig } from '../contract/calendar.ts';
import { uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { NotFoundError, VersionConflictError } from './errors.ts';
import { listed, type Narrowing } from './listed.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import { calendars } from './schema/calendars.ts';
import { sealerOf } from './sealing.ts';
import { secretHash } from './secret-hash.ts';

type Row = typeof calendars.$inferSelect;

/** A calendar with the token of its feed. */
export type CalendarRecord = Omit<Row, 'feedHash' | 'feedSealed'> & { readonly feedToken: string };

interface One {
  readonly teamId: string;
  readonly id: string;
}

const own = ({ teamId, id }: One) => and(eq(calendars.teamId, teamId), eq(calendars.id, id));

function opened(db: Db, { feedHash: _hash, feedSealed, ...row }: Row): CalendarRecord {
  return { ...row, feedToken: sealerOf(db).open(feedSealed, row.teamId) };
}

export async function createCalendar(
  db: Db,
  params: { readonly teamId: string; readonly config: CalendarConfig },
): Promise<CalendarRecord> {
  const now = new Date();
  const token = randomBytes(24).toString('base64url');
  const [row] = await db
    .insert(calendars)
    .values({
      id: uuidv7(now.getTime()),
      ...params,
      feedHash: secretHash(token),
      feedSealed: sealerOf(db).seal(token, params.teamId),
      createdAt: now,
      updatedAt: now,
    })
    .returning();
  return opened(db, row as Row);
}

export async function getCalendar(db: Db, params: One): Promise<CalendarRecord> {
  const [row] = await db.select().from(calendars).where(own(params));
  if (!row) throw new NotFoundError('calendar', params.id);
  return opened(db, row);
}

/** Finds the calendar by the token of its feed. */
export async function findCalendarByFeed(
  db: Db,
  params: { readonly token: string },
): Promise<CalendarRecord | undefined> {
  const [row] = await db
    .select()
    .from(calendars)
    .where(eq(calendars.feedHash, secretHash(params.token)));
  return row && opened(db, row);
}

/** The calendar that names the assistant, else the team's oldest one that names no assistant. */
export async function findCalendarOfAssistant(
  db: Db,
  params: { readonly teamId: string; readonly assistantId: string | null },
): Promise<CalendarRecord | undefined> {
  const ids = sql`${calendars.config} -> 'assistantIds'`;
  const named = sql`${ids} ? ${params.assistantId ?? ''}::text`;
  const [row] = await db
    .select()
    .from(calendars)
    .where(and(eq(calendars.teamId, params.teamId), sql`(${named} or ${ids} = '[]'::jsonb)`))
    .orderBy(desc(named), asc(calendars.id))
    .limit(1);
  return row && opened(db, row);
}

/** Newest first. */
export async function listCalendars(
  db: Db,
  params: { readonly teamId: string } & PageRequest & Narrowing,
): Promise<Page<CalendarRecord>> {
  const { limit } = params;
  const query = db
    .select()
    .from(calendars)
    .where(listed(calendars, params, [sql`${calendars.config} ->> 'name'`]))
    .orderBy(desc(calendars.id));
  const rows = await (limit === undefined ? query : query.limit(limit + 1));
  return toPage(
    rows.map((row) => opened(db, row)),
    limit,
  );
}

/** Replaces the configuration. Throws VersionConflictError if the version is no longer current. */
export async function updateCalendar(
  db: Db,
  params: One & { readonly config: CalendarConfig; readonly expectedVersion: number },
): Promise<CalendarRecord> {
  const { config, expectedVersion } = params;
  const [row] = await db
    .update(calendars)
    .set({ config, version: sql`${calendars.version} + 1`, updatedAt: new Date() })
    .where(and(own(params), eq(calendars.version, expectedVersion)))
    .returning();
  if (row) return opened(db, row);
  const current = await getCalendar(db, params);
  throw new VersionConflictError('calendar', params.id, current.version);
}

/** Deletes a calendar and its appointments. */
export async function deleteCalendar(db: Db, params: One): Promise<void> {
  const deleted = await db.delete(calendars).where(own(params)).returning({ id: calendars.id });
  if (deleted.length === 0) throw new NotFoundError('calendar', params.id);
}
