import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { AuditEntry } from '../../contract/audit.ts';
import type { Contract } from '../../contract/contract.ts';
import { invalid } from '../../contract/errors.ts';
import type { ChainedEntry } from '../../lib/audit-chain.ts';
import { csvLine } from '../../lib/csv-line.ts';
import { listAudit, readAudit, readAuditHead, SERVICE_CHAIN } from '../../store/audit.ts';
import type { Db } from '../../store/db.ts';
import { checkChain } from '../audit/check-chain.ts';
import { serveList } from '../list-route.ts';
import { linkNextPage } from '../paging.ts';
import { portionsOf } from '../portions.ts';
import { type Routing, serve, serveRaw, serveTeamlessRaw } from '../route.ts';

const MOST = 1000;

type Format = 'jsonl' | 'csv';

/** The audit log of a team, for its admins. */
export function auditRoutes(routing: Routing, operations: Contract['audit']): void {
  const { db } = routing;
  serveList(routing, operations.list, async ({ teamId, query, request, reply }) => {
    const { limit = MOST, cursor, startDate, endDate, ...filter } = query;
    const before = cursor === undefined ? undefined : Number(cursor);
    if (before !== undefined && !(Number.isInteger(before) && before > 0 && before < 2 ** 31))
      throw invalid([{ path: 'cursor', message: 'must be that of a page' }]);
    const found = await listAudit(db, {
      ...filter,
      ...{ chain: teamId, limit: limit + 1, before },
      ...(startDate === undefined ? {} : { startDate: new Date(startDate) }),
      ...(endDate === undefined ? {} : { endDate: new Date(endDate) }),
    });
    const items = found.slice(0, limit);
    const last = items.at(-1);
    if (found.length > limit && last)
      linkNextPage(request, reply, { nextCursor: String(last.seq) });
    return { portions: portionsOf(items), present: (entry) => entry as AuditEntry };
  });

  serve(routing, operations.check, async ({ teamId, reply }) => {
    const gone = new AbortController();
    // Nobody reads a whole log for somebody who has left.
    reply.raw.once('close', () => gone.abort());
    return checkChain(db, { chain: teamId, signal: gone.signal });
  });

  serveRaw(routing, operations.export, async ({ teamId, query, reply }) =>
    sendExport(db, { chain: teamId, format: query.format, reply }),
  );
}

/** The audit log of what concerns no team, for the operator. */
export function serviceAuditRoutes(
  { app, db }: Pick<Routing, 'app' | 'db'>,
  operations: Contract['serviceAudit'],
): void {
  serveTeamlessRaw({ app }, operations.export, async ({ query, reply }) =>
    sendExport(db, { chain: SERVICE_CHAIN, format: query.format, reply }),
  );
}

async function sendExport(
  db: Db,
  {
    chain,
    format,
    reply,
  }: { readonly chain: string; readonly format: Format; readonly reply: FastifyReply },
): Promise<void> {
  const { seq, hash, genuine } = await readAuditHead(db, { chain });
  reply
    .header('x-audit-chain', chain)
    .header('x-audit-head', `${seq}:${hash}:${genuine ? 'genuine' : 'forged'}`)
    .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson')
    .send(Readable.from(lines(readAudit(db, { chain }), format, seq), { objectMode: false }));
}

const COLUMNS = [
  ...['seq', 'at', 'actorType', 'actorId', 'actorName'],
  ...['action', 'subject', 'outcome', 'address', 'requestId', 'hash'],
];

/** Up to the entry that the head names: what is written meanwhile is for the next export. */
async function* lines(
  pages: AsyncIterable<readonly ChainedEntry[]>,
  format: Format,
  until: number,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(COLUMNS);
  for await (const page of pages) {
    const some = page.filter(({ seq }) => seq <= until);
    if (some.length === 0) return;
    const line = format === 'csv' ? csvOf : (entry: ChainedEntry) => `${JSON.stringify(entry)}\n`;
    yield some.map(line).join('');
  }
}

function csvOf(entry: ChainedEntry): string {
  const { seq, at, actor, action, subject, outcome, address, requestId, hash } = entry;
  const who = [actor.type, actor.id, actor.name];
  return csvLine([seq, at, ...who, action, subject, outcome, address, requestId, hash]);
}
