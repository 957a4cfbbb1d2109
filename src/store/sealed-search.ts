import { setImmediate } from 'node:timers/promises';
import { and, desc, eq, exists, inArray, type SQL, sql } from 'drizzle-orm';
import { SEALED_PREFIX as SEALED } from '../lib/sealed-text.ts';
import type { Db } from './db.ts';
import { messagePlace } from './messages.ts';
import { calls, messages } from './schema/calls.ts';
import { contentOpener } from './sealed-content.ts';

/** Calls whose sealed transcripts are searched, the newest of those that match otherwise. */
export const MAX_SEARCHED_CALLS = 500;
const CALLS_AT_ONCE = 10;
const MAX_MESSAGES = 1000;
/** Messages that are opened at once, on the thread that carries sound: about a millisecond. */
const SLICE = 100;

/**
 * The ids of calls in whose sealed transcripts a text stands, whatever its case. The database cannot search these, so
 * they are opened, of the newest {@link MAX_SEARCHED_CALLS} calls alone.
 */
export async function searchSealedTranscripts(
  db: Db,
  params: { readonly among: SQL | undefined; readonly text: string },
): Promise<readonly string[]> {
  const wanted = params.text.toLowerCase();
  const sealed = db
    .select({ one: sql`1` })
    .from(messages)
    .where(and(eq(messages.callId, calls.id), sql`starts_with(${messages.text}, ${SEALED})`));
  const among = await db
    .select({ id: calls.id })
    .from(calls)
    .where(and(params.among, exists(sealed)))
    .orderBy(desc(calls.startAt))
    .limit(MAX_SEARCHED_CALLS);
  const found: string[] = [];
  for (let at = 0; at < among.length; at += CALLS_AT_ONCE) {
    const ids = among.slice(at, at + CALLS_AT_ONCE).map(({ id }) => id);
    found.push(...(await callsThatSay(db, ids, wanted)));
  }
  return found;
}

async function callsThatSay(
  db: Db,
  ids: readonly string[],
  wanted: string,
): Promise<ReadonlySet<string>> {
  const { callId, messageId, text } = messages;
  const rows = await db
    .select({ callId, messageId, text })
    .from(messages)
    .where(
      and(
        sql`${callId} = any(${sql.param([...ids])})`,
        inArray(messages.role, ['user', 'assistant']),
        sql`starts_with(${text}, ${SEALED})`,
      ),
    )
    .limit(MAX_MESSAGES);
  const open = await contentOpener(
    db,
    rows.map((row) => row.text),
  );
  const found = new Set<string>();
  for (const [n, row] of rows.entries()) {
    if (n % SLICE === SLICE - 1) await setImmediate();
    if (found.has(row.callId)) continue;
    const said = open.text(row.text, messagePlace(row.callId, row.messageId));
    if (said.toLowerCase().includes(wanted)) found.add(row.callId);
  }
  return found;
}
