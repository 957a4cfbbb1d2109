import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handOverConnectionsOfTheDead } from '../../src/cluster/hand-over-connections.ts';

// A program for tests: a primary process with two workers that answer each request with their process id. The primary
// prints the port and both ids.
if (cluster.isPrimary) {
  const workers = [cluster.fork(), cluster.fork()];
  for (const worker of workers) handOverConnectionsOfTheDead(worker);
  const [first] = await Promise.all(
    workers.map(async (worker) => {
      const [message] = await once(worker, 'message');
      return message as { readonly port: number };
    }),
  );
  const pids = workers.map(({ process: { pid } }) => pid);
  process.stdout.write(`${JSON.stringify({ port: first?.port, pids })}\n`);
} else {
  process.on('disconnect', () => process.exit());
  const server = createServer((_request, response) => {
    response.setHeader('connection', 'close');
    response.end(`${process.pid}`);
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
}
