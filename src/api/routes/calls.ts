import { Readable } from 'node:stream';
import type { z } from 'zod';
import { connectCall } from '../../calls/connect.ts';
import { controlCall } from '../../calls/control-call.ts';
import { deleteCall, deleteMatchingCalls } from '../../calls/delete-call.ts';
import { presentLookups } from '../../calls/knowledge-lookups.ts';
import { presentTransfers, TRANSFER_LINES } from '../../calls/present-transfers.ts';
import { transcriptText } from '../../calls/transcript-text.ts';
import type { AssistantConfig } from '../../contract/assistant.ts';
import type { Contract } from '../../contract/contract.ts';
import { missing } from '../../contract/errors.ts';
import {
  presentCall,
  presentCallSummary,
  presentMessage,
  presentNote,
} from '../../contract/present-call.ts';
import type { JournalLine } from '../../ports/journal.ts';
import { callBeganAt } from '../../store/call-clock.ts';
import { listCallEvents, readCallEvents } from '../../store/call-events.ts';
import { type CallSummary, findCallSummaries, listCalls } from '../../store/call-list.ts';
import { listCallNotes } from '../../store/call-notes.ts';
import { readOriginalEvents } from '../../store/call-originals.ts';
import { getCall } from '../../store/calls.ts';
import { holdCall } from '../../store/holds.ts';
import { listJournalledLookups } from '../../store/knowledge-questions.ts';
import { listMessages } from '../../store/messages.ts';
import { numberForms } from '../../store/number-forms.ts';
import { releaseCall } from '../../store/release-holds.ts';
import { KNOWLEDGE_BASE_TOOL } from '../../tools/knowledge-base.ts';
import { matchOf } from '../calls/match-of.ts';
import { sendRecording } from '../calls/send-recording.ts';
import type { ApiDeps, ApiLimits } from '../deps.ts';
import { serveList } from '../list-route.ts';
import { foundInPortions } from '../portions.ts';
import { type Routing, sendJson, serve, serveRaw } from '../route.ts';
import { callReviewRoutes } from './call-reviews.ts';
import { presentDeletedCall } from './privacy.ts';

const CHUNK_CHARS = 16_384;

interface CallRouteDeps extends ApiDeps {
  readonly now: () => number;
  readonly limits: ApiLimits;
  readonly assistantSchema: z.ZodType<AssistantConfig>;
}

export function callRoutes(
  routing: Routing,
  operations: Contract['calls'],
  deps: CallRouteDeps,
): void {
  const { db, publicUrl } = deps;

  serve(routing, operations.connect, async ({ teamId, body, request }) =>
    connectCall(deps, { teamId, input: body, baseUrl: publicUrl(request) }),
  );

  serveList(routing, operations.list, async ({ teamId, query, request }) => {
    const { page, size, sort, order, ...filter } = query;
    const list = { teamId, page, size, sort, order, ...matchOf(filter) };
    const { totalCount, ids } = await listCalls(db, list);
    const baseUrl = publicUrl(request);
    return {
      head: { totalCount },
      name: 'conversations',
      portions: foundInPortions(ids, (some) => findCallSummaries(db, { teamId, ids: some })),
      present: (call: CallSummary) => presentCallSummary(call, baseUrl),
    };
  });

  callReviewRoutes(routing, operations, deps);

  serve(routing, operations.get, async ({ teamId, params, request }) => {
    const call = await getCall(db, { teamId, id: params.id });
    const messages = await listMessages(db, { callId: call.id });
    const lines = await listCallEvents(db, { callId: call.id, types: TRANSFER_LINES });
    const transfers = presentTransfers(lines);
    const lookups = presentLookups(
      await listJournalledLookups(db, { callId: call.id, tool: KNOWLEDGE_BASE_TOOL }),
    );
    const notes = await listCallNotes(db, { callIds: [call.id] });
    return {
      ...presentCall(call, messages, publicUrl(request)),
      ...(notes.length > 0 ? { notes: notes.map(presentNote) } : {}),
      ...(transfers.length > 0 ? { transfers } : {}),
      ...(lookups.length > 0 ? { lookups } : {}),
    };
  });

  serve(routing, operations.remove, async ({ teamId, params, query }) =>
    presentDeletedCall(
      await deleteCall(deps, { teamId, id: params.id, end: query.end === 'true' }),
    ),
  );

  serve(routing, operations.removeMany, async ({ teamId, body }) => {
    const { startDate, endDate, userNumber, dryRun, ...rest } = body;
    const filter = {
      ...rest,
      ...(startDate === undefined ? {} : { startDate: new Date(startDate) }),
      ...(endDate === undefined ? {} : { endDate: new Date(endDate) }),
      ...(userNumber === undefined ? {} : { userNumbers: numberForms(userNumber) }),
    };
    return deleteMatchingCalls(deps, { teamId, filter, dryRun });
  });

  serve(routing, operations.hold, async ({ teamId, params, body, request }) => {
    const hold = { teamId, id: params.id, ...body, now: new Date(deps.now()) };
    return presentCallSummary(await holdCall(db, hold), publicUrl(request));
  });

  serve(routing, operations.release, async ({ teamId, params, request }) =>
    presentCallSummary(await releaseCall(db, { teamId, id: params.id }), publicUrl(request)),
  );

  serve(routing, operations.control, async ({ teamId, params, body }) => {
    await controlCall(deps, { teamId, id: params.id, request: body });
    return { message: 'Call controlled successfully.', data: { success: true } };
  });

  serveRaw(routing, operations.recording, async ({ teamId, params, query, request, reply }) =>
    sendRecording(
      deps,
      { teamId, id: params.id, redirect: query.redirect === 'true' },
      { request, reply },
    ),
  );

  serveRaw(routing, operations.transcript, async ({ teamId, params, query, request, reply }) => {
    const call = await getCall(db, { teamId, id: params.id });
    const messages = await listMessages(db, { callId: call.id });
    reply.header('vary', 'accept');
    const accept = request.headers.accept ?? '';
    const wantsText = accept.includes('text/plain') && !accept.includes('application/json');
    if ((query.format ?? (wantsText ? 'text' : 'json')) === 'text')
      reply.type('text/plain; charset=utf-8').send(transcriptText(messages, callBeganAt(call)));
    else sendJson(reply, { id: call.id, messages: messages.map(presentMessage) });
  });

  serveRaw(routing, operations.events, async ({ teamId, params, reply }) => {
    const call = await getCall(db, { teamId, id: params.id });
    const lines = eventLines(readCallEvents(db, { callId: call.id }));
    reply.type('application/x-ndjson').send(Readable.from(lines, { objectMode: false }));
  });

  serveRaw(routing, operations.originals, async ({ teamId, params, reply }) => {
    const call = await getCall(db, { teamId, id: params.id });
    const journal = await readOriginalEvents(db, { teamId, callId: call.id });
    if (!journal) throw missing('originals');
    reply
      .type('application/x-ndjson')
      .send(Readable.from(eventLines(journal), { objectMode: false }));
  });
}

/** Formats a journal as NDJSON, in chunks of at least 16 KiB. */
async function* eventLines(journal: AsyncIterable<JournalLine>): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of journal) {
    chunk += `${JSON.stringify(line)}\n`;
    if (chunk.length < CHUNK_CHARS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
