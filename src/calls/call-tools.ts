import type { CallSnapshot } from '../contract/call-snapshot.ts';
import type { PartFailure } from '../contract/failures.ts';
import { presentCallSummary } from '../contract/present-call.ts';
import { isReservedToolName } from '../contract/reserved-tool-names.ts';
import { shownAssistant } from '../contract/shown-assistant.ts';
import type { CallTool } from '../engine/settings/settings.ts';
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

interface CallTools {
  readonly hosted: readonly HostedTool[];
  /** Servers whose tools the call goes without. */
  readonly missing: readonly PartFailure[];
}

/**
 * The tools of a call, by the configuration it was created with. `listed`: what servers listed for it in an earlier
 * process; absent: they are asked now, and the call goes on without those that do not answer in time.
 */
export async function createCallTools(
  deps: CallToolsDeps,
  record: CallRecord,
  listed?: readonly CallTool[],
): Promise<CallTools> {
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
  for (const { tool } of functions) taken.add(tool.definition.name);
  const ofServers = await serverTools(deps, record, { taken, listed });
  return { hosted: [...predefined, ...functions, ...ofServers.hosted], missing: ofServers.missing };
}

async function serverTools(
  deps: CallToolsDeps,
  { teamId: team, snapshot }: CallRecord,
  {
    taken,
    listed,
  }: { readonly taken: Set<string>; readonly listed?: readonly CallTool[] | undefined },
): Promise<CallTools> {
  const servers = (snapshot.tools ?? []).filter(({ config }) => config.type === 'mcp');
  if (servers.length === 0) return { hosted: [], missing: [] };
  const { hostMcpTools, listServerTools, nameTools } = await import('../tools/mcp/mcp-tools.ts');
  const { clock, toolFetch: fetch, toolResponseBytes: maxResponseBytes, schemas } = deps;
  const reached = { clock, fetch, maxResponseBytes, schemas, team };
  if (listed) {
    const hosted = servers.flatMap((server) => {
      const own = listed.filter(({ offered }) => offered?.toolId === server.id);
      return hostMcpTools(server, own, reached);
    });
    return { hosted, missing: [] };
  }
  const answers = await Promise.all(servers.map((server) => listServerTools(server, reached)));
  const hosted: HostedTool[] = [];
  const missing: PartFailure[] = [];
  for (const [index, server] of servers.entries()) {
    const answer = answers[index];
    if (answer?.ok)
      hosted.push(...hostMcpTools(server, nameTools(server, answer.tools, taken), reached));
    else if (answer) {
      const { code, message } = answer.fault;
      const named = `the tools of ${server.config.function.name} could not be listed: ${message}`;
      missing.push({ type: 'tool', code, message: named });
    }
  }
  return { hosted, missing };
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
  const functions = tools.filter(({ config }) => config.type === 'function');
  return functions.map((tool) => {
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
