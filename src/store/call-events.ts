import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { JournalLine } from '../ports/journal.ts';
import type { Db } from './db.ts';
import { callEvents } from './schema/calls.ts';
import { storableJson } from './storable.ts';

const PAGE_LINES = 500;

/** Appends lines to a call's journal and returns those that are new: a batch may be written twice. */
export async function appendCallEvents(
  db: Db,
  params: { readonly callId: string; readonly lines: readonly JournalLine[] },
): Promise<readonly JournalLine[]> {
  const { lines } = params;
  if (lines.length === 0) return [];
  const { rows } = await db.execute<{ seq: number }>(sql`
    insert into call_events (call_id, seq, at, kind, type, data)
    select ${params.callId}, seq, round(at), kind, type, data
    from json_to_recordset(${storableJson(lines)}::json)
      as line (seq integer, at float8, kind text, type text, data json)
    on conflict do nothing
    returning seq`);
  if (rows.length === lines.length) return lines;
  const fresh = new Set(rows.map(({ seq }) => seq));
  return lines.filter(({ seq }) => fresh.has(seq));
}

/** Reads the journal in order, page by page, so that long journals do not fill the memory. */
export async function* readCallEvents(
  db: Db,
  params: { readonly callId: string; readonly afterSeq?: number },
): AsyncGenerator<JournalLine> {
  let afterSeq = params.afterSeq ?? -1;
  for (;;) {
    const lines = await db
      .select({
        seq: callEvents.seq,
        at: callEvents.at,
        kind: callEvents.kind,
        type: callEvents.type,
        data: callEvents.data,
      })
      .from(callEvents)
      .where(and(eq(callEvents.callId, params.callId), gt(callEvents.seq, afterSeq)))
      .orderBy(asc(callEvents.seq))
      .limit(PAGE_LINES);
    yield* lines;
    const last = lines.at(-1);
    if (!last || lines.length < PAGE_LINES) return;
    afterSeq = last.seq;
  }
}

/** The lines of the given types, which must be rare within a call. */
export async function listCallEvents(
  db: Db,
  params: { readonly callId: string; readonly types: readonly string[] },
): Promise<readonly Pick<JournalLine, 'at' | 'type' | 'data'>[]> {
  return db
    .select({ at: callEvents.at, type: callEvents.type, data: callEvents.data })
    .from(callEvents)
    .where(and(eq(callEvents.callId, params.callId), inArray(callEvents.type, [...params.types])))
    .orderBy(asc(callEvents.seq))
    .limit(PAGE_LINES);
}
