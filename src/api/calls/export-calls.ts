import { presentCallSummary, presentNote } from '../../contract/present-call.ts';
import { csvLine } from '../../lib/csv-line.ts';
import { type CallSummary, readMatching } from '../../store/call-list.ts';
import type { CallMatch } from '../../store/call-match.ts';
import { type CallNoteRecord, listCallNotes } from '../../store/call-notes.ts';
import type { Db } from '../../store/db.ts';

const PAGE = 100;

interface Export {
  readonly match: CallMatch;
  readonly format: 'csv' | 'json';
  /** Calls at most. */
  readonly most: number;
  readonly baseUrl: string;
  /** Waits until other work had its turn. */
  readonly pause: () => Promise<unknown>;
}

const COLUMNS = [
  ...['id', 'startAt', 'endAt', 'seconds', 'channel', 'direction', 'userNumber', 'customerName'],
  ...['assistantId', 'status', 'endReason', 'failure', 'outcome', 'summary', 'medianAnswerMs'],
  ...['cost', 'currency', 'alerts', 'tags', 'reviewedAt', 'reviewedBy', 'notes'],
];

type Line = (call: CallSummary, notes: readonly CallNoteRecord[]) => string;

/** The text of an export, piece by piece; nothing is held in the database between two pieces. */
export async function* exportCalls(
  db: Db,
  { match, format, most, baseUrl, pause }: Export,
): AsyncGenerator<string> {
  const line: Line =
    format === 'csv'
      ? (call, notes) => csvOf(call, baseUrl, notes)
      : (call, notes) =>
          JSON.stringify({
            ...presentCallSummary(call, baseUrl),
            ...noted(notes.map(presentNote)),
          });
  const between = format === 'csv' ? '' : ',\n';
  yield format === 'csv' ? csvLine(COLUMNS) : '[\n';
  let isFirst = true;
  for await (const page of readMatching(db, { ...match, pageSize: PAGE, most })) {
    const notes = await listCallNotes(db, { callIds: page.map(({ id }) => id) });
    const byCall = Map.groupBy(notes, ({ callId }) => callId);
    const lines = page.map((call) => line(call, byCall.get(call.id) ?? []));
    yield `${isFirst ? '' : between}${lines.join(between)}`;
    isFirst = false;
    await pause();
  }
  if (format === 'json') yield '\n]\n';
}

const noted = <Note>(notes: readonly Note[]) => (notes.length > 0 ? { notes } : {});

function csvOf(record: CallSummary, baseUrl: string, notes: readonly CallNoteRecord[]): string {
  const call = presentCallSummary(record, baseUrl);
  const { startAt, endAt, metrics, cost, review } = call;
  const seconds = endAt && (Date.parse(endAt) - Date.parse(startAt)) / 1000;
  const times = metrics.flatMap(({ totalMs }) => totalMs ?? []).toSorted((a, b) => a - b);
  const median = times[Math.floor((times.length - 1) / 2)];
  return csvLine([
    ...[call.id, startAt, endAt, seconds, call.callType, call.direction, call.userNumber],
    ...[call.customer?.name, call.assistantId, call.status, call.endReason, call.failure?.message],
    ...[call.analysis?.successEvaluation, call.analysis?.summary, median && Math.round(median)],
    ...[cost?.total, cost?.currency, call.alerts?.map(({ kind }) => kind).join(' ')],
    ...[call.tags?.join(', '), review?.at, review?.by],
    notes.map(({ author, text }) => `${author}: ${text}`).join('\n'),
  ]);
}
