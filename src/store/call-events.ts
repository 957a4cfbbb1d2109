import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { JournalLine } from '../ports/journal.ts';
import type { Db } from './db.ts';
import { callEvents } from './schema/calls.ts';
import { type ContentSealer, contentOpener, contentSealer } from './sealed-content.ts';
import { storableJson } from './storable.ts';

const PAGE_LINES = 500;

/** Where the data of a line stand. */
export const linePlace = (callId: string, seq: number) => ({
  table: 'call_events',
  owner: callId,
  part: seq,
});

/**
 * Lines as they are stored. Each is sealed alone, though a group would cost less: a group that is written again may hold
 * other lines, of which some are there already.
 */
export const sealedLines = (
  seal: ContentSealer,
  callId: string,
  lines: readonly JournalLine[],
): readonly JournalLine[] =>
  seal.seals
    ? lines.map((line) => ({ ...line, data: seal.json(line.data, linePlace(callId, line.seq)) }))
    : lines;

/** Opens lines of a call. */
export async function openedLines<Line extends Pick<JournalLine, 'seq' | 'data'>>(
  db: Db,
  callId: string,
  lines: readonly Line[],
): Promise<Line[]> {
  const open = await contentOpener(
    db,
    lines.map(({ data }) => data),
  );
  return lines.map((line) => ({
    ...line,
    data: open.json(line.data, linePlace(callId, line.seq)),
  }));
}

/** Appends lines to a call's journal and returns those that are new: a batch may be written twice. */
export async function appendCallEvents(
  db: Db,
  params: {
    readonly teamId: string;
    readonly callId: string;
    readonly lines: readonly JournalLine[];
  },
): Promise<readonly JournalLine[]> {
  const { callId, lines } = params;
  if (lines.length === 0) return [];
  const sealed = sealedLines(await contentSealer(db, params), callId, lines);
  const { rows } = await db.execute<{ seq: number }>(sql`
    insert into call_events (call_id, seq, at, kind, type, data)
    select ${callId}, seq, round(at), kind, type, data
    from json_to_recordset(${storableJson(sealed)}::json)
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
  params: {
    readonly callId: string;
    readonly afterSeq?: number;
    /** Only lines of these types. */
    readonly types?: readonly string[];
  },
): AsyncGenerator<JournalLine> {
  const { callId, types } = params;
  const wanted = types && inArray(callEvents.type, [...types]);
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
      .where(and(eq(callEvents.callId, callId), gt(callEvents.seq, afterSeq), wanted))
      .orderBy(asc(callEvents.seq))
      .limit(PAGE_LINES);
    yield* await openedLines(db, callId, lines);
    const last = lines.at(-1);
    if (!last || lines.length < PAGE_LINES) return;
    afterSeq = last.seq;
  }
}

/**
 * How often the client of a web call has come back to its owner of this epoch, by the journal. 0 also where that owner
 * has stored nothing.
 */
export async function countResumes(
  db: Db,
  { callId, epoch }: { readonly callId: string; readonly epoch: number },
): Promise<number> {
  const types = ['process.lost', 'media.resumed'];
  const lines = await listCallEvents(db, { callId, types });
  const takeOvers = lines.filter(({ type }) => type === 'process.lost').length;
  // The first owner has epoch 1.
  if (takeOvers !== epoch - 1) return 0;
  const since = lines.length - 1 - lines.findLastIndex(({ type }) => type === 'process.lost');
  // The first one of a later owner belongs to its take-over.
  return Math.max(0, takeOvers > 0 ? since - 1 : since);
}

/** The lines of the given types, which must be rare within a call. */
export async function listCallEvents(
  db: Db,
  params: { readonly callId: string; readonly types: readonly string[] },
): Promise<readonly Pick<JournalLine, 'at' | 'type' | 'data'>[]> {
  const { seq, at, type, data } = callEvents;
  const lines = await db
    .select({ seq, at, type, data })
    .from(callEvents)
    .where(and(eq(callEvents.callId, params.callId), inArray(type, [...params.types])))
    .orderBy(asc(seq))
    .limit(PAGE_LINES);
  return openedLines(db, params.callId, lines);
}
