import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { MAX_NOTES } from '../contract/call-review.ts';
import { uuidv7 } from '../lib/ids.ts';
import { type CallRecord, getCall } from './calls.ts';
import type { Db } from './db.ts';
import { NotFoundError } from './errors.ts';
import { callNotes, calls } from './schema/calls.ts';
import { contentOpener, contentSealer } from './sealed-content.ts';

export type CallNoteRecord = typeof callNotes.$inferSelect;

/** Where a note stands. */
export const notePlace = (callId: string, id: string) => ({
  table: 'call_notes',
  owner: callId,
  part: id,
});

async function openedNotes(
  db: Db,
  rows: readonly CallNoteRecord[],
): Promise<readonly CallNoteRecord[]> {
  const open = await contentOpener(
    db,
    rows.map(({ text }) => text),
  );
  return rows.map((row) => ({ ...row, text: open.text(row.text, notePlace(row.callId, row.id)) }));
}

interface OneCall {
  readonly teamId: string;
  readonly id: string;
}

const own = ({ teamId, id }: OneCall) => and(eq(calls.teamId, teamId), eq(calls.id, id));

/** The call has as many notes as a call may have. */
export class TooManyNotesError extends Error {
  override readonly name = 'TooManyNotesError';
}

/** Changes the marks of a call; absent ones stay. The first review counts. Throws NotFoundError. */
export async function markCall(
  db: Db,
  params: OneCall & {
    readonly reviewed?: boolean | undefined;
    readonly tags?: readonly string[] | undefined;
    readonly by: string;
    readonly now: Date;
  },
): Promise<CallRecord> {
  const { reviewed, tags, by, now } = params;
  const review = reviewed
    ? {
        reviewedAt: sql`coalesce(${calls.reviewedAt}, ${now.toISOString()}::timestamptz)`,
        reviewedBy: sql`coalesce(${calls.reviewedBy}, ${by})`,
      }
    : { reviewedAt: null, reviewedBy: null };
  const change = { ...(reviewed === undefined ? {} : review), ...(tags ? { tags } : {}) };
  if (Object.keys(change).length > 0) await db.update(calls).set(change).where(own(params));
  return getCall(db, params);
}

/** Throws NotFoundError and {@link TooManyNotesError}. */
export async function addCallNote(
  db: Db,
  params: OneCall & { readonly text: string; readonly author: string; readonly now: Date },
): Promise<CallNoteRecord> {
  const { id: callId, text, author, now: createdAt } = params;
  const seal = await contentSealer(db, params);
  return db.transaction(async (tx) => {
    // Locked, so that notes written at once do not exceed the limit.
    const [call] = await tx
      .select({ id: calls.id })
      .from(calls)
      .where(own(params))
      .for('no key update');
    if (!call) throw new NotFoundError('call', callId);
    if ((await tx.$count(callNotes, eq(callNotes.callId, callId))) >= MAX_NOTES)
      throw new TooManyNotesError();
    const id = uuidv7();
    const note = { id, callId, text: seal.text(text, notePlace(callId, id)), author, createdAt };
    const [added] = await openedNotes(tx, await tx.insert(callNotes).values(note).returning());
    return added as CallNoteRecord;
  });
}

/** Throws NotFoundError. */
export async function deleteCallNote(
  db: Db,
  params: OneCall & { readonly noteId: string },
): Promise<CallNoteRecord> {
  const { id: callId, noteId } = params;
  const ofTeam = db.select({ id: calls.id }).from(calls).where(own(params));
  const rows = await db
    .delete(callNotes)
    .where(
      and(
        eq(callNotes.id, noteId),
        eq(callNotes.callId, callId),
        inArray(callNotes.callId, ofTeam),
      ),
    )
    .returning();
  const [note] = await openedNotes(db, rows);
  if (!note) throw new NotFoundError('note', noteId);
  return note;
}

/** The notes of calls that the caller of this function has read as the team's, oldest first. */
export async function listCallNotes(
  db: Db,
  params: { readonly callIds: readonly string[] },
): Promise<readonly CallNoteRecord[]> {
  const rows = await db
    .select()
    .from(callNotes)
    .where(sql`${callNotes.callId} = any(${sql.param([...params.callIds])})`)
    .orderBy(asc(callNotes.callId), asc(callNotes.id))
    .limit(MAX_NOTES * params.callIds.length);
  return openedNotes(db, rows);
}
