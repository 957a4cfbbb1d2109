import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { type LocalServer, startLocalServer } from './local-server.ts';

/** A server made with the protocol's own library. */
export interface TestMcpServer extends LocalServer {
  /** Requests so far: their methods and headers. */
  readonly asked: { readonly method: string; readonly headers: IncomingMessage['headers'] }[];
  /** Forgets all sessions. */
  forget(): void;
}

type Registrar = (server: McpServer) => void;

/** `sessions`: the server insists on a session; else it answers each request alone. */
export async function startMcpServer(
  register: Registrar,
  { sessions = false, json = false } = {},
): Promise<TestMcpServer> {
  const asked: TestMcpServer['asked'] = [];
  const open = new Map<string, StreamableHTTPServerTransport>();
  const connect = async () => {
    const server = new McpServer({ name: 'test', version: '1' });
    register(server);
    const transport = new StreamableHTTPServerTransport({
      enableJsonResponse: json,
      ...(sessions
        ? {
            sessionIdGenerator: randomUUID,
            onsessioninitialized: (id: string) => void open.set(id, transport),
          }
        : {}),
    } as ConstructorParameters<typeof StreamableHTTPServerTransport>[0]);
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    return transport;
  };
  const local = await startLocalServer(async (request, response) => {
    const body = JSON.parse((await request.setEncoding('utf8').toArray()).join(''));
    asked.push({ method: body.method, headers: request.headers });
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? open.get(id) : undefined;
    if (sessions && body.method !== 'initialize' && !known) {
      response.writeHead(404).end();
      return;
    }
    await (known ?? (await connect())).handleRequest(request, response, body);
  });
  return { ...local, asked, forget: () => open.clear() };
}
