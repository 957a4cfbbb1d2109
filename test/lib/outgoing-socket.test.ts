import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { OutgoingSocket, TrafficMeter } from '../../src/lib/outgoing-socket.ts';
import { systemClock } from '../../src/lib/system-clock.ts';

const limits = {
  maxMessageBytes: 1000,
  messagesPerSecond: 10,
  burstMessages: 20,
  bytesPerSecond: 10_000,
  burstBytes: 15_000,
};

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** An outgoing socket to a server that the test controls. */
async function connected(serve: (socket: WebSocket) => void) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  closing.push(() => server.close());
  const closed = Promise.withResolvers<{ code: number; reason: string }>();
  server.on('connection', (socket) => {
    socket.on('close', (code, reason) => closed.resolve({ code, reason: reason.toString() }));
    serve(socket);
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = new OutgoingSocket(`ws://127.0.0.1:${port}`, { limits, clock: systemClock });
  closing.push(() => socket.terminate());
  let messages = 0;
  const errors: (string | undefined)[] = [];
  socket.on('message', () => messages++);
  socket.on('error', (error: NodeJS.ErrnoException) => errors.push(error.code));
  return { socket, closed: closed.promise, errors, count: () => messages };
}

test('a server that sends too many messages is closed with the reason, and nothing more of it is read', async () => {
  const { closed, errors, count } = await connected((socket) => {
    for (let i = 0; i < 500; i++) socket.send('{}');
  });
  expect(await closed).toEqual({ code: 1008, reason: 'too-many-messages' });
  expect(errors).toEqual(['too-many-messages']);
  expect(count()).toBe(20);
});

test('so is one whose messages are too large in all', async () => {
  const { closed, errors } = await connected((socket) => {
    for (let i = 0; i < 18; i++) socket.send(Buffer.alloc(1000));
  });
  expect(await closed).toEqual({ code: 1008, reason: 'too-many-bytes' });
  expect(errors).toEqual(['too-many-bytes']);
});

test('one message that is too large closes the socket with 1009', async () => {
  const { closed, count } = await connected((socket) => socket.send(Buffer.alloc(1001)));
  expect(await closed).toMatchObject({ code: 1009 });
  expect(count()).toBe(0);
});

test('time in which less came is credit, up to the burst', () => {
  const meter = new TrafficMeter(limits, 0);
  const take = (count: number, now: number) => {
    let fault: string | undefined;
    for (let i = 0; i < count; i++) fault ??= meter.count(1, now);
    return fault;
  };
  expect(take(20, 0)).toBeUndefined();
  expect(take(10, 1000)).toBeUndefined();
  expect(take(20, 100_000)).toBeUndefined();
  expect(take(1, 100_000)).toBe('too-many-messages');
});
