import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { startOperator } from '../../src/cli/spoken/operator-handset.ts';
import { PutThrough } from '../../src/testing/spoken/put-through.ts';

let server: WebSocketServer;

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  server.on('connection', (socket) => tell(socket, { type: 'ready', resumeToken: 'again' }));
});

afterEach(async () => {
  for (const client of server.clients) client.terminate();
  await new Promise((resolve) => server.close(resolve));
});

const tell = (socket: WebSocket, frame: object) => socket.send(JSON.stringify(frame));

test('an operator whose test ends while their next telephone is switched on has gone', async () => {
  const number = '+15005560001';
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/media/handset/t`;
  const asked = Promise.withResolvers<void>();
  const given = Promise.withResolvers<void>();
  let telephones = 0;
  const createHandset = async () => {
    if (++telephones > 1) {
      asked.resolve();
      await given.promise;
    }
    return { url, number };
  };
  const connected = once(server, 'connection');
  const operator = await startOperator({
    client: { createHandset },
    test: { operator: 'busy' },
    number,
    mode: 'blind',
    putThrough: new PutThrough(),
    booth: { line: async () => new Int16Array(0) },
    signal: new AbortController().signal,
  });
  const [socket] = (await connected) as [WebSocket];
  tell(socket, { type: 'ringing' });
  tell(socket, { type: 'ended', reason: 'busy' });
  await asked.promise;
  const gone = operator[Symbol.asyncDispose]();
  given.resolve();
  await gone;
  await expect.poll(() => server.clients.size).toBe(0);
});
