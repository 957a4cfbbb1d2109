import { Readable } from 'node:stream';
import { MAX_EXPORTED_CALLS, MAX_NOTES } from '../../contract/call-review.ts';
import type { Contract } from '../../contract/contract.ts';
import { invalid, Problem } from '../../contract/errors.ts';
import { presentCallSummary, presentNote } from '../../contract/present-call.ts';
import { countMatching, findNeighbours } from '../../store/call-list.ts';
import {
  addCallNote,
  deleteCallNote,
  markCall,
  TooManyNotesError,
} from '../../store/call-notes.ts';
import { holderOf } from '../auth.ts';
import { exportCalls } from '../calls/export-calls.ts';
import { matchOf } from '../calls/match-of.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf, type RequestContext, type Routing, serve, serveRaw } from '../route.ts';

type Request = Pick<RequestContext<Contract['calls']['mark']>, 'request'>['request'];

/** What people do with finished calls: find the next one, mark it, write about it, take it away. */
export function callReviewRoutes(
  routing: Routing,
  operations: Contract['calls'],
  { db, publicUrl, now }: Pick<ApiDeps, 'db' | 'publicUrl'> & { readonly now: () => number },
): void {
  const today = () => new Date(now());

  serveRaw(routing, operations.export, async ({ teamId, query, request, reply }) => {
    const { format, ...filter } = query;
    const match = { teamId, ...matchOf(filter) };
    const found = await countMatching(db, match);
    if (found > MAX_EXPORTED_CALLS)
      throw invalid([
        {
          path: 'startDate',
          message: `must leave at most ${MAX_EXPORTED_CALLS} calls: ${found} match. Export shorter periods`,
        },
      ]);
    const pause = () => routing.slices.next(teamId);
    const most = MAX_EXPORTED_CALLS;
    const pieces = exportCalls(db, { match, format, most, baseUrl: publicUrl(request), pause });
    reply
      .header('content-disposition', `attachment; filename="calls.${format}"`)
      .type(`${format === 'csv' ? 'text/csv' : 'application/json'}; charset=utf-8`)
      .send(Readable.from(pieces, { objectMode: false }));
  });

  serve(routing, operations.neighbours, async ({ teamId, params, query }) => {
    const { sort, order, ...filter } = query;
    const list = { teamId, id: params.id, sort, order, ...matchOf(filter) };
    const { previous, next } = await findNeighbours(db, list);
    return { ...(previous ? { previous } : {}), ...(next ? { next } : {}) };
  });

  serve(routing, operations.mark, async ({ teamId, params, body, request }) => {
    const mark = { teamId, id: params.id, ...body, by: nameOf(request), now: today() };
    return presentCallSummary(await markCall(db, mark), publicUrl(request));
  });

  serve(routing, operations.addNote, async ({ teamId, params, body, request }) => {
    const note = { teamId, id: params.id, text: body.text, author: nameOf(request), now: today() };
    return presentNote(
      await addCallNote(db, note).catch((error: unknown) => {
        if (!(error instanceof TooManyNotesError)) throw error;
        const message = `A call has at most ${MAX_NOTES} notes: delete one first`;
        throw new Problem({ kind: 'conflict', message, cause: error });
      }),
    );
  });

  serve(routing, operations.removeNote, async ({ teamId, params }) =>
    presentNote(await deleteCallNote(db, { teamId, ...params })),
  );
}

const nameOf = (request: Request): string => holderOf(principalOf(request))?.name ?? 'a token';
