import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

export interface CallServer {
  /** Without a path, of the kind `http:`. */
  readonly url: string;
  close(): void;
}

/** As the service does it: a caller asks for a call by REST, and gets the address of its socket. */
export async function serveCalls(options: {
  /** The socket's address for another call. */
  connect(): Promise<string>;
  /** A caller's socket; the path is the one that it was given. */
  call(socket: WebSocket, path: string): void;
}): Promise<CallServer> {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const http = createServer((request, response) => {
    request.resume();
    const json = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    options.connect().then(
      (url) => json(201, { webCall: { url } }),
      (error: Error) => json(500, { message: error.message }),
    );
  });
  http.on('upgrade', (request, raw, head) =>
    sockets.handleUpgrade(request, raw, head, (socket) =>
      options.call(socket, (request.url ?? '/').slice(1)),
    ),
  );
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return { url, close: () => http.close() };
}
