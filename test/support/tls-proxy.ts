import { type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Certificate } from './certificates.ts';

/** A proxy that ends TLS before a service, as operators put one there: sockets pass, and it says whom it speaks for. */
export async function startTlsProxy(certificate: Certificate, target: string) {
  const { hostname, port } = new URL(target);
  const forwarded = ({ headers, socket }: IncomingMessage) => {
    const before = headers['x-forwarded-for'];
    return {
      ...headers,
      'x-forwarded-proto': 'https',
      'x-forwarded-for': `${before ? `${before}, ` : ''}${socket.remoteAddress}`,
    };
  };
  const server = createServer(certificate, (incoming, answer) => {
    const { method, url } = incoming;
    const options = { hostname, port, method, path: url, headers: forwarded(incoming) };
    const onward = request(options, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  const upgraded = new Set<Duplex>();
  server.on('upgrade', (incoming, socket) => {
    upgraded.add(socket);
    const onward = connect(Number(port), hostname);
    const lines = Object.entries(forwarded(incoming)).map(([name, value]) => `${name}: ${value}`);
    onward.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    socket.pipe(onward).pipe(socket);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of upgraded) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
