import type { SnapshotTool } from '../../contract/call-snapshot.ts';
import { isReservedToolName } from '../../contract/reserved-tool-names.ts';
import type { CallTool } from '../../engine/settings/settings.ts';
import { JsonSchemaError } from '../../lib/json-schema-error.ts';
import { OutboundError } from '../../lib/outbound-error.ts';
import type { SchemaChecker } from '../../lib/schema-checker.ts';
import type { ToolInvocation, ToolOutcome } from '../../ports/tool.ts';
import { guardedArgumentCheck } from '../check-arguments.ts';
import { toLine } from '../function-tool/function-tool.ts';
import type { HostedTool } from '../hosted-tool.ts';
import { McpServer, type McpServerDeps } from './mcp-server.ts';
import { McpError, outcomeOf, type ServerTool, uniqueName } from './protocol.ts';

export interface McpToolsDeps extends McpServerDeps {
  readonly schemas: SchemaChecker;
  /** How long the list of a server may take, in ms. @defaultValue 3000 */
  readonly listMs?: number;
}

/** Why a server's tools cannot be had. */
export interface McpFault {
  readonly code: string;
  readonly message: string;
}

const LIST_MS = 3000;
/** All tools of a server together, as JSON: the model reads them with every request. */
const MAX_LIST_CHARS = 65_536;

/** The tools that the server of a tool offers now. Never rejects. */
export async function listServerTools(
  { config }: SnapshotTool,
  deps: McpToolsDeps,
  signal?: AbortSignal,
): Promise<
  | { readonly ok: true; readonly tools: readonly ServerTool[] }
  | { readonly ok: false; readonly fault: McpFault }
> {
  const { listMs = LIST_MS } = deps;
  const late = AbortSignal.timeout(listMs);
  const either = signal ? AbortSignal.any([signal, late]) : late;
  try {
    const wanted = new Set(config.mcpTools ?? []);
    const listed = (await new McpServer(config.server, deps).list(either)).filter(
      ({ name }) => wanted.size === 0 || wanted.has(name),
    );
    const usable = await Promise.all(listed.map((tool) => isUsable(tool, deps, either)));
    let chars = 0;
    const tools = listed.filter((tool, index) => {
      if (usable[index]) chars += JSON.stringify(tool).length;
      return usable[index] && chars <= MAX_LIST_CHARS;
    });
    return { ok: true, tools };
  } catch (error) {
    return { ok: false, fault: faultOf(error, late.aborted ? listMs : undefined) };
  }
}

/** A vendor refuses the whole request for one schema that is none, so that such a tool is left out. */
const isUsable = (
  { parameters }: ServerTool,
  { schemas, team }: McpToolsDeps,
  signal: AbortSignal,
) =>
  schemas.compile(parameters, { team, signal }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof JsonSchemaError) return false;
      throw error;
    },
  );

function faultOf(error: unknown, lateAfterMs: number | undefined): McpFault {
  if (error instanceof OutboundError || error instanceof McpError)
    return { code: error.code, message: error.message };
  if (lateAfterMs !== undefined)
    return { code: 'tool_timeout', message: `the server did not answer within ${lateAfterMs} ms` };
  return { code: 'internal', message: "the request to the tool's server could not be made" };
}

/** Names the tools of a server for the model, each unlike those in `taken`, to which they are added. */
export function nameTools(
  { id, config }: SnapshotTool,
  tools: readonly ServerTool[],
  taken: Set<string>,
): readonly CallTool[] {
  return tools.map(({ name, description, parameters, readOnly, idempotent }) => {
    const unique = uniqueName(
      name,
      config.function.name,
      (one) => taken.has(one) || isReservedToolName(one),
    );
    taken.add(unique);
    return {
      definition: { name: unique, description, parameters },
      async: config.async,
      readOnly,
      ...(idempotent || config.server.idempotent ? { repeatable: true } : {}),
      timeoutMs: config.server.timeoutSeconds * 1000,
      lines: config.messages.map(toLine),
      offered: { toolId: id, name },
    };
  });
}

/** Hosts tools of one server, which share what the server knows of the call. */
export function hostMcpTools(
  { config }: Pick<SnapshotTool, 'config'>,
  tools: readonly CallTool[],
  deps: McpToolsDeps,
): readonly HostedTool[] {
  const server = new McpServer(config.server, deps);
  return tools.map((tool) => ({
    tool,
    check: guardedArgumentCheck(tool.definition, deps),
    run: (invocation) => run(server, tool.offered?.name ?? invocation.name, invocation),
  }));
}

async function run(
  server: McpServer,
  name: string,
  { callId, toolCallId, arguments: args, signal }: ToolInvocation,
): Promise<ToolOutcome> {
  try {
    return outcomeOf(await server.call(name, args, { id: `${callId}:${toolCallId}`, signal }));
  } catch (error) {
    if (error instanceof OutboundError || error instanceof McpError)
      return { ok: false, error: error.message, code: error.code };
    if (signal.aborted) return { ok: false, error: 'the tool was cancelled' };
    const message = "the request to the tool's server could not be made";
    return { ok: false, error: message, code: 'internal' };
  }
}
