import type { CallSnapshot } from '../contract/call-snapshot.ts';
import { presentCallSummary } from '../contract/present-call.ts';
import { isReservedToolName } from '../contract/reserved-tool-names.ts';
import { shownAssistant } from '../contract/shown-assistant.ts';
import { toCitedPassage } from '../knowledge/cited-passage.ts';
import type { KnowledgeSearcher } from '../knowledge/search/knowledge-hit.ts';
import type { OutboundFetch } from '../lib/guarded-fetch.ts';
import type { SchemaChecker } from '../lib/schema-checker.ts';
import type { TraceHeaders } from '../ports/tracing.ts';
import type { CallRecord } from '../store/calls.ts';
import { createFunctionTool } from '../tools/function-tool/function-tool.ts';
import type { HostedTool } from '../tools/hosted-tool.ts';
import { createKnowledgeBaseTool } from '../tools/knowledge-base-tool.ts';
import { createPredefinedTools, type PredefinedToolsDeps } from './predefined-tools.ts';

export interface CallToolsDeps extends PredefinedToolsDeps {
  /** Sends requests to the servers of function tools. */
  readonly toolFetch: OutboundFetch;
  readonly toolResponseBytes: number;
  readonly schemas: SchemaChecker;
  readonly traceHeaders?: TraceHeaders | undefined;
  readonly knowledge: KnowledgeSearcher;
}

/** The tools of a call, by the configuration it was created with. */
export function createCallTools(deps: CallToolsDeps, record: CallRecord): readonly HostedTool[] {
  const snapshot = record.snapshot;
  const predefined = [
    ...knowledgeTool(deps, record, snapshot),
    ...createPredefinedTools(deps, record),
  ];
  const taken = new Set(predefined.map(({ tool }) => tool.definition.name));
  const functions = functionTools(deps, record, snapshot).filter(
    // A tool may have been stored before its name became reserved.
    ({ tool: { definition } }) =>
      !taken.has(definition.name) && !isReservedToolName(definition.name),
  );
  return [...predefined, ...functions];
}

function knowledgeTool(
  { knowledge }: CallToolsDeps,
  { teamId }: CallRecord,
  { assistant }: CallSnapshot,
): readonly HostedTool[] {
  const hosted: HostedTool[] = [];
  const { assistantKnowledgeBaseIds: knowledgeBaseIds, assistantPredefinedTools: enabled } =
    assistant;
  if (enabled.knowledgeBase && knowledgeBaseIds.length > 0) {
    knowledge.warm({ teamId, knowledgeBaseIds });
    hosted.push(
      createKnowledgeBaseTool(async (query, limit) => {
        const found = await knowledge.search({ teamId, knowledgeBaseIds, query, limit });
        return found.map(toCitedPassage);
      }),
    );
  }
  return hosted;
}

function functionTools(
  { clock, toolFetch, toolResponseBytes, schemas, traceHeaders }: CallToolsDeps,
  record: CallRecord,
  { assistant, tools = [], baseUrl = '' }: CallSnapshot,
): readonly HostedTool[] {
  const shown = {
    call: { ...presentCallSummary(record, baseUrl), status: 'ongoing' },
    assistant: shownAssistant(record.assistantId, assistant),
  };
  const { teamId: team } = record;
  return tools.map((tool) => {
    // Compiles the schema ahead of the first tool call, which reports its problems.
    schemas.compile(tool.config.function.parameters, { team }).catch(() => undefined);
    return createFunctionTool(tool, {
      clock,
      fetch: toolFetch,
      maxResponseBytes: toolResponseBytes,
      schemas,
      traceHeaders,
      team,
      ...shown,
    });
  });
}
