import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Contract } from '../../contract/contract.ts';
import { type McpTool, mcpOperations } from '../../contract/mcp.ts';
import type { Operation } from '../../contract/operation.ts';
import { mayDo } from '../../contract/role.ts';
import type { VendorCatalogue } from '../../contract/vendors.ts';
import { ComputePool } from '../../lib/compute-pool.ts';
import { sendJson } from '../route.ts';
import type { ListToolsTask } from './list-tools-thread.ts';
import { answerMessage, type McpService } from './protocol.ts';
import { ToolArgumentError, toolRequest } from './tool-request.ts';
import { failed, type ToolResult, toolResult } from './tool-result.ts';

const ENTRY = new URL('./list-tools-thread.ts', import.meta.url);
const DEADLINE_MS = 60_000;

/** What the request of a tool has in common with the one that called it. */
const PASSED_ON = [
  'authorization',
  'host',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
] as const;

/**
 * Serves operations as tools of the Model Context Protocol at `/mcp` (streamable HTTP, without sessions). A call of a
 * tool is a request to its operation with the same credential: roles, limits and the audit log hold as they do there.
 */
export function mcpRoutes(
  app: FastifyInstance,
  contract: Contract,
  vendors: VendorCatalogue,
): void {
  const operations = new Map(mcpOperations(contract).map((one) => [one.id, one]));
  const pool = new ComputePool<ListToolsTask, readonly McpTool[]>({ entry: ENTRY, threads: 1 });
  app.addHook('onClose', async () => pool.close());
  let listed: Promise<readonly McpTool[]> | undefined;
  const list = () => {
    listed ??= pool.run({ vendors }, { team: '', deadlineMs: DEADLINE_MS }).catch((error) => {
      // The next request tries again.
      listed = undefined;
      throw error;
    });
    return listed;
  };
  const serviceFor = (request: FastifyRequest): McpService => ({
    tools: async () =>
      (await list()).filter(({ name }) => isAllowed(request, operations.get(name))),
    call: (name, args) => {
      const operation = operations.get(name);
      return operation && callTool(app, operation, args, request);
    },
  });
  app.post('/mcp', async (request, reply) => {
    const { status, body } = await answerMessage(
      request.body,
      request.headers['mcp-protocol-version'],
      serviceFor(request),
    );
    reply.code(status);
    if (body === undefined) reply.send();
    else sendJson(reply, body);
    return reply;
  });
  // Streams and sessions, which the protocol lets a server refuse.
  for (const method of ['GET', 'DELETE'] as const)
    app.route({
      method,
      url: '/mcp',
      handler: async (_, reply) => {
        sendJson(reply.code(405).header('allow', 'POST'), {
          message: 'Only POST is answered here',
        });
        return reply;
      },
    });
}

const isAllowed = ({ principal }: FastifyRequest, operation: Operation | undefined): boolean =>
  principal !== null && operation !== undefined && mayDo(principal.role, operation.role);

async function callTool(
  app: FastifyInstance,
  operation: Operation,
  args: Readonly<Record<string, unknown>>,
  request: FastifyRequest,
): Promise<ToolResult> {
  try {
    const { url, headers, body, skip } = toolRequest(operation, args);
    const passedOn = PASSED_ON.flatMap((name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const { statusCode, payload, ...answer } = await app.inject({
      method: operation.method,
      url,
      remoteAddress: request.socket.remoteAddress ?? '',
      headers: {
        ...Object.fromEntries(passedOn),
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    const { link } = answer.headers;
    return toolResult({ status: statusCode, link: link?.toString(), text: payload, skip });
  } catch (error) {
    if (error instanceof ToolArgumentError) return failed(error.message);
    throw error;
  }
}
