import { z } from 'zod';
import type { McpTool } from '../../contract/mcp.ts';
import type { ToolResult } from './tool-result.ts';

/** What is behind the protocol. */
export interface McpService {
  readonly tools: () => Promise<readonly McpTool[]>;
  /** Undefined: there is no such tool. */
  readonly call: (
    name: string,
    args: Readonly<Record<string, unknown>>,
  ) => Promise<ToolResult> | undefined;
}

/** An HTTP answer; without a body it is empty. */
interface McpAnswer {
  readonly status: number;
  readonly body?: unknown;
}

/** Revisions of the protocol that are spoken alike, the preferred one first. */
export const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;

const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

const INSTRUCTIONS =
  'Builds, tries and checks voice assistants of a Parley service. Begin with listAssistants or createAssistant, whose ' +
  'body lists every field of an assistant. Check changes with startTestRun (conversations without sound) or replayCall ' +
  '(an earlier call with a change); a draft (createAssistantDraft) is used by no call until publishAssistantVersion. ' +
  'connectCall calls a real number when it has phoneNumberId.';

const MessageSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(1000), z.number()]).optional(),
  method: z.string().max(200).optional(),
  params: z.record(z.string(), z.unknown()).optional(),
});
const CallSchema = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

/**
 * Answers a message of the Model Context Protocol. No session is kept, so that any process may answer. Four methods are
 * all that tools need; the official server takes a fifth of a second to load, on the thread that carries sound.
 */
export async function answerMessage(
  message: unknown,
  version: string | string[] | undefined,
  service: McpService,
): Promise<McpAnswer> {
  const parsed = MessageSchema.safeParse(message);
  if (!parsed.success)
    return refusal(400, undefined, INVALID_REQUEST, 'The body must be one JSON-RPC 2.0 message');
  const { id, method, params = {} } = parsed.data;
  if (version !== undefined && method !== 'initialize' && !isKnown(version))
    return refusal(
      400,
      id,
      INVALID_REQUEST,
      `Unsupported protocol version: known are ${PROTOCOL_VERSIONS.join(', ')}`,
    );
  // Notifications, and answers to questions that are never asked.
  if (id === undefined || method === undefined) return { status: 202 };
  switch (method) {
    case 'initialize':
      return result(id, {
        protocolVersion: isKnown(params.protocolVersion)
          ? params.protocolVersion
          : PROTOCOL_VERSIONS[0],
        capabilities: { tools: {} },
        serverInfo: { name: 'parley', title: 'Parley', version: '1.1.0' },
        instructions: INSTRUCTIONS,
      });
    case 'ping':
      return result(id, {});
    case 'tools/list':
      return result(id, { tools: await service.tools() });
    case 'tools/call': {
      const call = CallSchema.safeParse(params);
      if (!call.success)
        return refusal(200, id, INVALID_PARAMS, 'A call needs a name and may have arguments');
      const called = service.call(call.data.name, call.data.arguments);
      return called
        ? result(id, await called)
        : refusal(200, id, INVALID_PARAMS, 'There is no tool of this name');
    }
    default:
      return refusal(200, id, METHOD_NOT_FOUND, 'There is no such method');
  }
}

const isKnown = (version: unknown): boolean =>
  (PROTOCOL_VERSIONS as readonly unknown[]).includes(version);

const result = (id: string | number, value: unknown): McpAnswer => ({
  status: 200,
  body: { jsonrpc: '2.0', id, result: value },
});

const refusal = (
  status: number,
  id: string | number | undefined,
  code: number,
  message: string,
): McpAnswer => ({
  status,
  body: { jsonrpc: '2.0', ...(id === undefined ? { id: null } : { id }), error: { code, message } },
});
