import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from '../../lib/node-http.ts';
import type { EmulatorFaults } from './emulated-carrier.ts';

export interface EmulatorRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string;
  readonly form: URLSearchParams;
  readonly json: Readonly<Record<string, unknown>>;
}

/** An answer, with a JSON body or none. */
export interface EmulatorAnswer {
  readonly status: number;
  readonly json?: unknown;
}

const MAX_BODY_BYTES = 1024 * 1024;

/** The HTTP side of an emulated carrier, on a free loopback port. */
export async function startEmulatorServer(
  faults: EmulatorFaults,
  answer: (request: EmulatorRequest) => Promise<EmulatorAnswer> | EmulatorAnswer,
  options: { readonly port?: number } = {},
): Promise<{ readonly server: Server; readonly url: string; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    serve(incoming, faults, answer).then(
      (result) => send(outgoing, result),
      (error: Error) => send(outgoing, { status: 500, json: { message: error.message } }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // Exclusive to this process, even if several share the service's port.
    server.listen({ port: options.port ?? 0, host: '127.0.0.1', exclusive: true }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    server,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // After `close`, so that no connection can come in between and be waited for.
        server.closeAllConnections();
      }),
  };
}

async function serve(
  incoming: IncomingMessage,
  faults: EmulatorFaults,
  answer: (request: EmulatorRequest) => Promise<EmulatorAnswer> | EmulatorAnswer,
): Promise<EmulatorAnswer> {
  const url = new URL(incoming.url ?? '/', 'http://emulator');
  const fault = faults.answers.findIndex(({ path }) => url.pathname.includes(path));
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return { status: 413 };
    chunks.push(chunk);
  }
  if (fault >= 0) {
    const [{ status, json } = { status: 500 }] = faults.answers.splice(fault, 1);
    return { status, json: json ?? { code: status, message: 'failing on demand', status } };
  }
  const body = Buffer.concat(chunks).toString();
  const isJson = incoming.headers['content-type']?.startsWith('application/json') ?? false;
  return answer({
    method: incoming.method ?? 'GET',
    path: decodeURIComponent(url.pathname),
    query: url.searchParams,
    authorization: incoming.headers.authorization ?? '',
    form: new URLSearchParams(isJson ? '' : body),
    json: isJson && body ? JSON.parse(body) : {},
  });
}

function send(outgoing: ServerResponse, { status, json }: EmulatorAnswer): void {
  if (json === undefined) {
    outgoing.writeHead(status).end();
    return;
  }
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
}
