import type { SnapshotTool } from '../../contract/call-snapshot.ts';
import type { ToolLine } from '../../engine/settings/settings.ts';
import type { OutboundFetch } from '../../lib/guarded-fetch.ts';
import { OutboundError } from '../../lib/outbound-error.ts';
import type { SchemaChecker } from '../../lib/schema-checker.ts';
import { signWebhook } from '../../lib/sign-webhook.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ToolInvocation, ToolOutcome } from '../../ports/tool.ts';
import type { TraceHeaders } from '../../ports/tracing.ts';
import { guardedArgumentCheck } from '../check-arguments.ts';
import type { HostedTool } from '../hosted-tool.ts';
import { readToolAnswer, serializeToolRequest } from './protocol.ts';

export interface FunctionToolDeps {
  readonly clock: Clock;
  readonly fetch: OutboundFetch;
  readonly maxResponseBytes: number;
  readonly schemas: SchemaChecker;
  /** Absent: requests belong to no trace. */
  readonly traceHeaders?: TraceHeaders | undefined;
  /** The team that owns the tool. */
  readonly team: string;
  /** The call and its assistant as sent to the tool's server: without secrets. */
  readonly call: Readonly<Record<string, unknown>>;
  readonly assistant: Readonly<Record<string, unknown>>;
}

/** A tool that runs on a user's server. */
export function createFunctionTool({ config }: SnapshotTool, deps: FunctionToolDeps): HostedTool {
  const { name, description, parameters, strict } = config.function;
  const definition = { name, description, parameters, strict };
  return {
    tool: {
      definition,
      async: config.async,
      readOnly: false,
      ...(config.server.idempotent ? { repeatable: true } : {}),
      timeoutMs: config.server.timeoutSeconds * 1000,
      lines: config.messages.map(toLine),
    },
    check: guardedArgumentCheck(definition, deps),
    run: (invocation) => run(config.server, invocation, deps),
  };
}

/** A message of a tool as the engine speaks it. */
export function toLine(message: SnapshotTool['config']['messages'][number]): ToolLine {
  const spoken = { type: message.type, content: message.content, role: 'assistant' } as const;
  switch (message.type) {
    case 'request-start':
      return { ...spoken, endCall: false, blocking: message.blocking };
    case 'request-response-delayed':
      return { ...spoken, endCall: false, timingMs: message.timingMilliseconds };
    default:
      return { ...spoken, role: message.role, endCall: message.endCallAfterSpokenEnabled };
  }
}

type Server = SnapshotTool['config']['server'];

async function run(
  server: Server,
  invocation: ToolInvocation,
  deps: FunctionToolDeps,
): Promise<ToolOutcome> {
  try {
    return await exchange(server, invocation, deps);
  } catch (error) {
    if (error instanceof OutboundError)
      return { ok: false, error: error.message, code: error.code };
    if (invocation.signal.aborted) return { ok: false, error: 'the tool was cancelled' };
    // Any other error is internal; its text is not meant for a model.
    const message = "the request to the tool's server could not be made";
    return { ok: false, error: message, code: 'internal' };
  }
}

/** Makes a single attempt: when a server breaks off, only the server knows whether it has acted. */
async function exchange(
  server: Server,
  invocation: ToolInvocation,
  deps: FunctionToolDeps,
): Promise<ToolOutcome> {
  const { callId, toolCallId, name, signal } = invocation;
  const timestamp = Math.round(deps.clock.now());
  const id = `${callId}:${toolCallId}`;
  const body = serializeToolRequest({
    timestamp,
    call: deps.call,
    assistant: deps.assistant,
    toolCall: { id: toolCallId, name, parameters: invocation.arguments },
  });
  const response = await deps.fetch(server.url, {
    method: 'POST',
    headers: requestHeaders(server, {
      'content-type': 'application/json',
      accept: 'application/json, text/plain;q=0.9',
      'user-agent': 'Parley',
      'idempotency-key': id,
      ...deps.traceHeaders?.({ callId, toolCallId }),
      ...signWebhook({ id, timestampSeconds: timestamp / 1000, body, secret: server.secret }),
    }),
    body,
    maxResponseBytes: deps.maxResponseBytes,
    team: deps.team,
    signal,
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return readToolAnswer({
    status: response.status,
    contentType: response.headers['content-type'] ?? '',
    body: Buffer.concat(chunks),
    toolCallId,
  });
}

/** Headers of the connection itself, which users cannot set. */
const CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The user's headers may replace `accept` and `user-agent`, but never those that identify and sign the request. */
export function requestHeaders(
  { headers }: Server,
  ours: Readonly<Record<string, string>>,
): Record<string, string> {
  const replaceable = new Set(['accept', 'user-agent']);
  const own = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !CONNECTION.has(name) && (replaceable.has(name) || !(name in ours)));
  return { ...ours, ...Object.fromEntries(own) };
}
