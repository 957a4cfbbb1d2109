import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { arrivalDefaults, headerTimeouts, refuseSlowBodies } from '../../src/api/slow-requests.ts';
import { BodyPace } from '../../src/lib/body-pace.ts';
import { ManualClock } from '../support/manual-clock.ts';

const open: (FastifyInstance | Socket)[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) {
    if ('destroy' in each) each.destroy();
    else await each.close();
  }
});

async function start() {
  const clock = new ManualClock();
  const app = fastify({ http: headerTimeouts({ ...arrivalDefaults, headersMs: 60, lookMs: 20 }) });
  refuseSlowBodies(app, { clock });
  await app.register(multipart);
  const sizes: number[] = [];
  app.post('/json', async ({ body }) => ({ body }));
  app.get('/early', async () => 'early');
  app.post('/kb/v1/files', async (request) => {
    for await (const part of request.parts())
      if (part.type === 'file') for await (const chunk of part.file) sizes.push(chunk.length);
    return { bytes: sizes.reduce((sum, size) => sum + size, 0) };
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  open.push(app);
  const { port } = app.server.address() as AddressInfo;
  const client = async (head: string) => {
    const requested = once(app.server, 'request');
    const socket = connect(port, '127.0.0.1');
    open.push(socket);
    let answer = '';
    socket.on('data', (data) => {
      answer += data;
    });
    const closed = once(socket, 'close');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(head);
    return { socket, requested, closed: closed.then(() => answer), answer: () => answer };
  };
  /** Resolves when the server has read this many bytes of a client. */
  const arrived = (bytes: number, request: { socket: Socket }) =>
    expect.poll(() => request.socket.bytesRead, { interval: 1 }).toBeGreaterThanOrEqual(bytes);
  return { app, clock, client, arrived };
}

const post = (path: string, rest: string) => `POST ${path} HTTP/1.1\r\nhost: x\r\n${rest}`;

test.each([
  ['a declared length', 'content-type: application/json\r\ncontent-length: 100\r\n\r\n{"a"'],
  ['chunks', 'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{"a"\r\n'],
])('a JSON body of %s that never ends is refused', async (_, rest) => {
  const { clock, client } = await start();
  const { requested, closed } = await client(post('/json', rest));
  await requested;
  await clock.advance(19_000);
  await clock.advance(2000);
  const answer = await closed;
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toContain('{"message":"The body comes too slowly"}');
});

test('a body in drops is refused, one at the least rate is taken', async () => {
  const { clock, client, arrived } = await start();
  const type = 'content-type: application/json';
  const drops = await client(post('/json', `${type}\r\ncontent-length: 1000\r\n\r\n`));
  const [dropped] = (await drops.requested) as [{ socket: Socket }];
  const length = 4096 * 30 + 2;
  const steady = await client(post('/json', `${type}\r\ncontent-length: ${length}\r\n\r\n"`));
  const [request] = (await steady.requested) as [{ socket: Socket }];
  const before = request.socket.bytesRead;
  const droppedBefore = dropped.socket.bytesRead;
  for (let second = 1; second <= 30; second++) {
    if (second <= 20) {
      drops.socket.write('1');
      await arrived(droppedBefore + second, dropped);
    }
    steady.socket.write('x'.repeat(4096));
    await arrived(before + second * 4096, request);
    await clock.advance(1000);
  }
  steady.socket.write('"');
  await expect.poll(steady.answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(await drops.closed).toMatch(/^HTTP\/1\.1 408 /);
});

test('an upload that stops is refused in the shape of its area', async () => {
  const { clock, client } = await start();
  const form = [
    'content-type: multipart/form-data; boundary=b\r\ntransfer-encoding: chunked\r\n',
    '5a\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabcdefghijklmn\r\n',
  ];
  const { requested, closed } = await client(post('/kb/v1/files', form.join('\r\n')));
  await requested;
  await clock.advance(21_000);
  const answer = await closed;
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toContain('{"detail":"The body comes too slowly"}');
});

test('a connection whose request was answered before its body came is ended', async () => {
  const { clock, client } = await start();
  const head = 'GET /early HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\n';
  const { requested, closed, answer } = await client(head);
  await requested;
  await expect.poll(answer).toContain('early');
  await clock.advance(21_000);
  expect(await closed).not.toMatch(/^HTTP\/1\.1 408 /m);
});

test('headers that never end are refused', async () => {
  const { client } = await start();
  const { closed } = await client('POST /json HTTP/1.1\r\nhost: x\r\nx-slow: ');
  expect(await closed).toMatch(/^HTTP\/1\.1 408 /);
});

test('a connection that says nothing is closed', async () => {
  const { client } = await start();
  await (await client('')).closed;
});

test('time in which nobody reads is not the sender’s', () => {
  const pace = new BodyPace({ minBytesPerSecond: 100, patienceMs: 1000 }, 0, 0);
  expect(pace.isLate(0, 10_000, false)).toBe(false);
  expect(pace.isLate(0, 10_900, true)).toBe(false);
  expect(pace.isLate(50, 11_000, true)).toBe(false);
  expect(pace.isLate(50, 11_400, true)).toBe(false);
  expect(pace.isLate(50, 11_600, true)).toBe(true);
});

test('a request within the process, which has no connection, is not watched', async () => {
  const clock = new ManualClock();
  const app = fastify();
  open.push(app);
  refuseSlowBodies(app, { clock });
  app.addHook('onRequest', (_, reply) => reply.code(403).send('not yours'));
  app.post('/refused', async () => 'done');
  // It is answered before anybody has read its body.
  const answer = await app.inject({ method: 'POST', url: '/refused', payload: { a: 1 } });
  expect(answer.statusCode).toBe(403);
  await clock.advance(60_000);
});
