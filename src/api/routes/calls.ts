import { Readable } from 'node:stream';
import type { z } from 'zod';
import { connectCall } from '../../calls/connect.ts';
import { controlCall } from '../../calls/control-call.ts';
import { presentLookups } from '../../calls/knowledge-lookups.ts';
import { presentTransfers, TRANSFER_LINES } from '../../calls/present-transfers.ts';
import { transcriptText } from '../../calls/transcript-text.ts';
import type { AssistantConfig } from '../../contract/assistant.ts';
import type { Contract } from '../../contract/contract.ts';
import { presentCall, presentCallSummary, presentMessage } from '../../contract/present-call.ts';
import type { JournalLine } from '../../ports/journal.ts';
import { listCallEvents, readCallEvents } from '../../store/call-events.ts';
import { type CallSummary, findCallSummaries, listCalls } from '../../store/call-list.ts';
import { getCall } from '../../store/calls.ts';
import { listJournalledLookups } from '../../store/knowledge-questions.ts';
import { listMessages } from '../../store/messages.ts';
import { KNOWLEDGE_BASE_TOOL } from '../../tools/knowledge-base.ts';
import { sendRecording } from '../calls/send-recording.ts';
import type { ApiDeps, ApiLimits } from '../deps.ts';
import { serveList } from '../list-route.ts';
import { foundInPortions } from '../portions.ts';
import { type Routing, sendJson, serve, serveRaw } from '../route.ts';

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
    const { startDate, endDate, live, ...rest } = query;
    const { totalCount, ids } = await listCalls(db, {
      teamId,
      ...rest,
      ...(startDate === undefined ? {} : { startDate: new Date(startDate) }),
      ...(endDate === undefined ? {} : { endDate: new Date(endDate) }),
      ...(live === undefined ? {} : { live: live === 'true' }),
    });
    const baseUrl = publicUrl(request);
    return {
      head: { totalCount },
      name: 'conversations',
      portions: foundInPortions(ids, (some) => findCallSummaries(db, { teamId, ids: some })),
      present: (call: CallSummary) => presentCallSummary(call, baseUrl),
    };
  });

  serve(routing, operations.get, async ({ teamId, params, request }) => {
    const call = await getCall(db, { teamId, id: params.id });
    const messages = await listMessages(db, { callId: call.id });
    const lines = await listCallEvents(db, { callId: call.id, types: TRANSFER_LINES });
    const transfers = presentTransfers(lines);
    const lookups = presentLookups(
      await listJournalledLookups(db, { callId: call.id, tool: KNOWLEDGE_BASE_TOOL }),
    );
    return {
      ...presentCall(call, messages, publicUrl(request)),
      ...(transfers.length > 0 ? { transfers } : {}),
      ...(lookups.length > 0 ? { lookups } : {}),
    };
  });

  serve(routing, operations.control, async ({ teamId, params, body }) => {
    await controlCall(deps, { teamId, id: params.id, request: body });
    return { message: 'Call controlled successfully.', data: { success: true } };
  });

  serveRaw(routing, operations.recording, async ({ teamId, params, request, reply }) =>
    sendRecording(deps, { teamId, id: params.id }, { request, reply }),
  );

  serveRaw(routing, operations.transcript, async ({ teamId, params, query, request, reply }) => {
    const call = await getCall(db, { teamId, id: params.id });
    const messages = await listMessages(db, { callId: call.id });
    reply.header('vary', 'accept');
    const accept = request.headers.accept ?? '';
    const wantsText = accept.includes('text/plain') && !accept.includes('application/json');
    if ((query.format ?? (wantsText ? 'text' : 'json')) === 'text')
      reply.type('text/plain; charset=utf-8').send(transcriptText(messages, call.startAt));
    else sendJson(reply, { id: call.id, messages: messages.map(presentMessage) });
  });

  serveRaw(routing, operations.events, async ({ teamId, params, reply }) => {
    const call = await getCall(db, { teamId, id: params.id });
    const lines = eventLines(readCallEvents(db, { callId: call.id }));
    reply.type('application/x-ndjson').send(Readable.from(lines, { objectMode: false }));
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
