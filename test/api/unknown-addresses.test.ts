import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { answerUnknownAddresses } from '../../src/api/unknown-addresses.ts';

const LIMIT = 1000;
let app: FastifyInstance;
let port: number;

beforeAll(async () => {
  app = fastify({ bodyLimit: LIMIT });
  await app.register(async (scope) => answerUnknownAddresses(scope, LIMIT));
  await app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = app.server.address() as AddressInfo);
});
afterAll(() => app.close());

describe('an address that there is not', () => {
  test.each([
    ['JSON that never closes', 'application/json', '[{"a":'],
    ['many values', 'application/json', `[${'1,'.repeat(400)}1]`],
    ['a type that nobody knows', 'application/x-other', 'x'],
    ['text', 'text/plain', 'x'],
  ])('is told without a look at the body: %s', async (_, type, payload) => {
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      const headers = { 'content-type': type };
      const answer = await app.inject({ method, url: '/none', headers, payload });
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toEqual({ message: 'Not found' });
    }
  });

  test('leaves the connection to the next request once a short body has gone by', async () => {
    const sent = { method: 'POST', body: 'x'.repeat(LIMIT) };
    const answer = await fetch(`http://127.0.0.1:${port}/none`, sent);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('connection')).toBe('keep-alive');
  });

  test.each([
    ['that is longer than any may be', `content-length: ${LIMIT + 1}\r\n\r\n`],
    ['whose length nobody tells', 'transfer-encoding: chunked\r\n\r\n'],
  ])('ends the connection of a body %s', async (_, head) => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    let answer = '';
    socket.on('data', (data) => {
      answer += data;
    });
    socket.write(`POST /none HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${head}`);
    await once(socket, 'close');
    expect(answer).toContain('HTTP/1.1 404');
  });
});
