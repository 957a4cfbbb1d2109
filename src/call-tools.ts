import type { CallSnapshot } from './contract/call-snapshot.ts';
import { presentCallSummary } from './contract/present-call.ts';
import { shownAssistant } from './contract/shown-assistant.ts';
import { toCitedPassage } from './knowledge/cited-passage.ts';
import { searchKnowledge } from './knowledge/search.ts';
import type { OutboundFetch } from './lib/guarded-fetch.ts';
import type { Clock } from './ports/clock.ts';
import type { CallRecord } from './store/calls.ts';
import type { Db } from './store/db.ts';
import { createFunctionTool } from './tools/function-tool/function-tool.ts';
import type { HostedTool } from './tools/hosted-tool.ts';
import { createKnowledgeBaseTool } from './tools/knowledge-base-tool.ts';

export interface CallToolsDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** To the servers of function tools. */
  readonly toolFetch: OutboundFetch;
  readonly toolResponseBytes: number;
}

/** Every tool of a call, from what was fixed when it was made. */
export function createCallTools(deps: CallToolsDeps, record: CallRecord): readonly HostedTool[] {
  const snapshot = record.snapshot as unknown as CallSnapshot;
  return [...predefinedTools(deps, record, snapshot), ...functionTools(deps, record, snapshot)];
}

function predefinedTools(
  { db }: CallToolsDeps,
  { teamId }: CallRecord,
  { assistant }: CallSnapshot,
): readonly HostedTool[] {
  const hosted: HostedTool[] = [];
  const { assistantKnowledgeBaseIds: knowledgeBaseIds, assistantPredefinedTools: enabled } =
    assistant;
  if (enabled.knowledgeBase && knowledgeBaseIds.length > 0) {
    hosted.push(
      createKnowledgeBaseTool(async (query, limit) => {
        const found = await searchKnowledge(db, { teamId, knowledgeBaseIds, query, limit });
        return found.map(toCitedPassage);
      }),
    );
  }
  return hosted;
}

function functionTools(
  { clock, toolFetch, toolResponseBytes }: CallToolsDeps,
  record: CallRecord,
  { assistant, tools = [], baseUrl = '' }: CallSnapshot,
): readonly HostedTool[] {
  const shown = {
    call: { ...presentCallSummary(record, baseUrl), status: 'ongoing' },
    assistant: shownAssistant(record.assistantId, assistant),
  };
  return tools.map((tool) =>
    createFunctionTool(tool, {
      clock,
      fetch: toolFetch,
      maxResponseBytes: toolResponseBytes,
      ...shown,
    }),
  );
}
