import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { beginInTurn } from '../../src/api/request-turns.ts';
import { registerSocketServer } from '../../src/gateway/socket-server.ts';
import { eventually } from '../support/eventually.ts';

let app: FastifyInstance;
let url: string;
let liveCalls: number;
/** Requests that wait for their turns: whose they are, and what lets them begin. */
const waiting: { readonly address: string; readonly begin: () => void }[] = [];

beforeEach(async () => {
  liveCalls = 1;
  app = Fastify();
  await registerSocketServer(app, { maxFrameBytes: 1000 });
  beginInTurn(app, {
    liveCalls: () => liveCalls,
    turns: {
      next: (address) => new Promise((begin) => void waiting.push({ address, begin })),
    },
  });
  app.get('/known', async () => 'here');
  app.get('/socket', { websocket: true }, (socket) => socket.send('open'));
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});

afterEach(async () => {
  for (const { begin } of waiting.splice(0)) begin();
  await app.close();
});

test.each([
  ['/known', 200],
  ['/unknown', 404],
])('beside calls a request for %s waits for its turn', async (path, status) => {
  let answered: number | undefined;
  const answer = fetch(url + path).then((response) => {
    answered = response.status;
  });
  await eventually(() => expect(waiting).toHaveLength(1), { everyMs: 5 });
  expect(waiting[0]?.address).toBe('127.0.0.1');
  expect(answered).toBeUndefined();
  waiting.shift()?.begin();
  await answer;
  expect(answered).toBe(status);
});

test('sockets, requests within the process and those without calls beside them wait for none', async () => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket`);
  await new Promise((received) => socket.once('message', received));
  socket.close();
  expect((await app.inject('/known')).statusCode).toBe(200);
  liveCalls = 0;
  expect((await fetch(`${url}/known`)).status).toBe(200);
  expect(waiting).toEqual([]);
});
