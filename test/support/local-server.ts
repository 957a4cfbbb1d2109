import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LocalServer extends AsyncDisposable {
  readonly port: number;
  /** `http://<host>:<port>` */
  readonly url: string;
  /** How many connections were accepted since the start. */
  readonly connections: () => number;
}

/** An HTTP server on a free port, of the loopback device unless another address of this machine is given. */
export async function startLocalServer(
  listener: RequestListener,
  host = '127.0.0.1',
): Promise<LocalServer> {
  const server = createServer(listener);
  let connections = 0;
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${host}:${port}`,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
