import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { closeServer } from '../../src/lib/close-server.ts';
import { systemClock } from '../../src/lib/system-clock.ts';

test('what is being answered is answered whole, and its kept connection is not waited for', async () => {
  const asked = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const server = Fastify({ keepAliveTimeout: 600_000 });
  server.get('/', async (_request, reply) => {
    // The header is sent before closing begins, so it does not announce the end of the connection.
    reply.hijack().raw.writeHead(200, { 'content-length': 4 }).write('ab');
    asked.resolve();
    await go.promise;
    reply.raw.end('cd');
  });
  const url = await server.listen();
  const agent = new Agent({ keepAlive: true });
  const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  await asked.promise;
  const closed = closeServer(server, systemClock);
  while (server.server.listening) await nextTurn();
  go.resolve();
  expect(Buffer.concat(await response.toArray()).toString()).toBe('abcd');
  await closed;
  agent.destroy();
}, 5000);
