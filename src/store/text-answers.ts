import { and, desc, eq } from 'drizzle-orm';
import type { Db } from './db.ts';
import { texts } from './schema/texts.ts';
import { openedTexts } from './sealed-texts.ts';
import type { TextRecord } from './texts.ts';

/** The last text message from a user to a number. */
export async function findLastReceived(
  db: Db,
  params: Pick<TextRecord, 'teamId' | 'numberId' | 'userNumber'>,
): Promise<TextRecord | undefined> {
  const { teamId, numberId, userNumber } = params;
  const rows = await db
    .select()
    .from(texts)
    .where(
      and(
        eq(texts.teamId, teamId),
        eq(texts.numberId, numberId),
        eq(texts.userNumber, userNumber),
        eq(texts.role, 'user'),
      ),
    )
    .orderBy(desc(texts.id))
    .limit(1);
  const [found] = await openedTexts(db, rows);
  return found;
}

/** The answer to a received text message, sent or not. */
export async function findAnswer(
  db: Db,
  { numberId, answersTo }: { readonly numberId: string; readonly answersTo: string },
): Promise<TextRecord | undefined> {
  const rows = await db
    .select()
    .from(texts)
    .where(and(eq(texts.numberId, numberId), eq(texts.answersTo, answersTo)));
  const [found] = await openedTexts(db, rows);
  return found;
}

/** Stores the outcome of sending a stored text message. */
export async function settleText(
  db: Db,
  params: Pick<TextRecord, 'id' | 'status'> & { readonly carrierMessageId?: string },
): Promise<void> {
  const { id, ...changes } = params;
  await db.update(texts).set(changes).where(eq(texts.id, id));
}
