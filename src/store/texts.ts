import { and, desc, eq, gt, ne } from 'drizzle-orm';
import { uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { textOptOuts, texts } from './schema/texts.ts';
import { contentSealer } from './sealed-content.ts';
import { openedTexts, textPlace } from './sealed-texts.ts';

export type TextRecord = typeof texts.$inferSelect;

interface Correspondent {
  readonly teamId: string;
  readonly numberId: string;
  readonly userNumber: string;
}

/**
 * Creates a text message. Undefined if the carrier has reported it before, or if the message it answers has an answer.
 */
export async function createText(
  db: Db,
  params: Correspondent &
    Pick<TextRecord, 'role' | 'text' | 'status'> &
    Partial<Pick<TextRecord, 'assistantId' | 'callId' | 'carrierMessageId' | 'answersTo'>>,
): Promise<TextRecord | undefined> {
  const now = new Date();
  const id = uuidv7(now.getTime());
  const seal = await contentSealer(db, params);
  const text = seal.text(params.text, textPlace(id));
  const rows = await db
    .insert(texts)
    .values({ id, createdAt: now, ...params, text })
    .onConflictDoNothing()
    .returning();
  const [made] = await openedTexts(db, rows);
  return made;
}

/** Stores the delivery status of a sent text message. */
export async function updateTextStatus(
  db: Db,
  params: Pick<Correspondent, 'teamId' | 'numberId'> & {
    readonly carrierMessageId: string;
    readonly status: TextRecord['status'];
  },
): Promise<void> {
  const { teamId, numberId, carrierMessageId, status } = params;
  await db
    .update(texts)
    .set({ status })
    .where(
      and(
        eq(texts.teamId, teamId),
        eq(texts.numberId, numberId),
        eq(texts.carrierMessageId, carrierMessageId),
        eq(texts.role, 'assistant'),
        // Reports arrive in any order; these two statuses are final.
        ne(texts.status, 'delivered'),
        ne(texts.status, 'failed'),
      ),
    );
}

/** The last text messages exchanged with a user, oldest first. */
export async function listTexts(
  db: Db,
  params: Correspondent & { readonly since: Date; readonly limit: number },
): Promise<readonly TextRecord[]> {
  const { teamId, numberId, userNumber, since, limit } = params;
  const found = await db
    .select()
    .from(texts)
    .where(
      and(
        eq(texts.teamId, teamId),
        eq(texts.numberId, numberId),
        eq(texts.userNumber, userNumber),
        gt(texts.createdAt, since),
      ),
    )
    .orderBy(desc(texts.id))
    .limit(limit);
  return (await openedTexts(db, found)).toReversed();
}

/** Stores whether a user wants no text messages from a number. */
export async function setTextOptOut(
  db: Db,
  params: Correspondent & { readonly optedOut: boolean },
): Promise<void> {
  const { optedOut, ...who } = params;
  if (optedOut) {
    await db
      .insert(textOptOuts)
      .values({ ...who, createdAt: new Date() })
      .onConflictDoNothing();
    return;
  }
  await db
    .delete(textOptOuts)
    .where(
      and(
        eq(textOptOuts.teamId, who.teamId),
        eq(textOptOuts.numberId, who.numberId),
        eq(textOptOuts.userNumber, who.userNumber),
      ),
    );
}

export async function hasOptedOut(db: Db, who: Correspondent): Promise<boolean> {
  const [found] = await db
    .select({ at: textOptOuts.createdAt })
    .from(textOptOuts)
    .where(
      and(
        eq(textOptOuts.teamId, who.teamId),
        eq(textOptOuts.numberId, who.numberId),
        eq(textOptOuts.userNumber, who.userNumber),
      ),
    );
  return found !== undefined;
}
