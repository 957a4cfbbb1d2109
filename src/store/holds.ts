import { and, asc, eq, isNotNull, sql } from 'drizzle-orm';
import type { CallRecord } from './calls.ts';
import { getCall } from './calls.ts';
import type { Db } from './db.ts';
import { numberFormsOf } from './number-forms.ts';
import { calls } from './schema/calls.ts';
import { numberHolds } from './schema/privacy.ts';

export type NumberHold = typeof numberHolds.$inferSelect;

interface OfTeam {
  readonly teamId: string;
}

interface OneCall extends OfTeam {
  readonly id: string;
}

interface OneNumber extends OfTeam {
  readonly number: string;
}

/** The ways in which a number on hold (`hold.number`) may be written. */
export const formsOnHold = numberFormsOf(sql`hold.number`);

/** True of calls that may be deleted: neither they nor their caller's number are on hold. */
export const isFree = sql`(calls.held_at is null and not exists (
  select from number_holds hold where hold.team_id = calls.team_id
    and calls.user_number = any(${formsOnHold})))`;

/** Puts a call on hold, or changes the reason. Throws NotFoundError. */
export async function holdCall(
  db: Db,
  params: OneCall & { readonly reason: string; readonly now: Date },
): Promise<CallRecord> {
  const { reason: holdReason, now } = params;
  return setHold(db, params, {
    heldAt: sql`coalesce(${calls.heldAt}, ${now.toISOString()}::timestamptz)`,
    holdReason,
  });
}

/** Writes or ends the hold of a call. */
export async function setHold(
  db: Db,
  params: OneCall,
  change: { readonly heldAt: ReturnType<typeof sql>; readonly holdReason: string | null },
): Promise<CallRecord> {
  await db
    .update(calls)
    .set(change)
    .where(and(eq(calls.teamId, params.teamId), eq(calls.id, params.id)));
  return getCall(db, params);
}

/** Puts everything of a number on hold, or changes the reason. */
export async function holdNumber(
  db: Db,
  params: OneNumber & { readonly reason: string; readonly now: Date },
): Promise<NumberHold> {
  const { teamId, number, reason, now: createdAt } = params;
  const [hold] = await db
    .insert(numberHolds)
    .values({ teamId, number, reason, createdAt })
    .onConflictDoUpdate({ target: [numberHolds.teamId, numberHolds.number], set: { reason } })
    .returning();
  return hold as NumberHold;
}

export async function findNumberHold(db: Db, params: OneNumber): Promise<NumberHold | undefined> {
  return (await listNumberHolds(db, params)).find(({ number }) => number === params.number);
}

export async function listNumberHolds(db: Db, params: OfTeam): Promise<readonly NumberHold[]> {
  return db
    .select()
    .from(numberHolds)
    .where(eq(numberHolds.teamId, params.teamId))
    .orderBy(asc(numberHolds.number));
}

/** True if a call or a number of the team is on hold. */
export async function hasHolds(db: Db, params: OfTeam): Promise<boolean> {
  const [number] = await listNumberHolds(db, params);
  if (number) return true;
  const [call] = await db
    .select({ id: calls.id })
    .from(calls)
    .where(and(eq(calls.teamId, params.teamId), isNotNull(calls.heldAt)))
    .limit(1);
  return call !== undefined;
}
