import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingForLoad } from './load-process.ts';
import { startVendors, type Vendors } from './vendors.ts';

const missing = missingForLoad();

let vendors: Vendors;
let port: number;

const isAlive = async () => expect((await vendors.ask('urls')).tts).toContain(`:${port}`);

describe.skipIf(!!missing)(`the vendors of the load${missing ? `: ${missing}` : ''}`, () => {
  beforeAll(async () => {
    vendors = await startVendors();
    port = Number(new URL((await vendors.ask('urls')).llm).port);
  });
  afterAll(() => vendors.stop());

  test('read what comes byte by byte, and two requests that come at once', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    const body = '{"messages":[]}';
    const request = `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    for (const byte of Buffer.from(request)) {
      socket.write(Buffer.of(byte));
      if (byte === 0x0a) await delay(1);
    }
    socket.write(request + request);
    let answer = '';
    for await (const data of socket) {
      answer += data;
      if (answer.split('[DONE]').length === 4) break;
    }
    expect(answer.split('HTTP/1.1 200 OK')).toHaveLength(4);
  });

  test.each([
    ['an unmasked frame', '\x81\x02{}'],
    ['a fragment', '\x01\x82\0\0\0\0{}'],
    ['a frame that is too long', '\x82\xff\0\0\x7f\xff\xff\xff\xff\xff\0\0\0\0'],
    ['a frame of no known kind', '\x83\x80\0\0\0\0'],
  ])('close a WebSocket on %s and live', async (_, frame) => {
    const socket = await upgraded();
    socket.write(frame, 'latin1');
    await once(socket, 'close');
    await isAlive();
  });

  test.each([
    ['no length', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n', /^HTTP\/1.1 411/],
    ['no messages', 'POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 2\r\n\r\n[]', /^$/],
    [
      'JSON that ends early',
      'POST /chat/completions HTTP/1.1\r\nContent-Length: 12\r\n\r\n{"messages":',
      /^$/,
    ],
    ['no request', 'hello\r\n\r\n', /^$/],
  ])('answer or close a request with %s and live', async (_, request, expected) => {
    const socket = connect(port, '127.0.0.1');
    socket.end(request);
    let answer = '';
    for await (const data of socket) answer += data;
    expect(answer).toMatch(expected);
    await isAlive();
  });

  test('drop who reads nothing of what it asks for', async () => {
    const socket = await upgraded();
    socket.pause();
    const ping = Buffer.concat([Buffer.from([0x89, 0xfd, 0, 0, 0, 0]), Buffer.alloc(125)]);
    const pings = Buffer.concat(Array.from({ length: 1000 }, () => ping));
    const gone = new Promise((resolve) => socket.once('close', resolve));
    const timer = setInterval(() => socket.write(pings), 1);
    socket.on('error', () => undefined);
    await gone;
    clearInterval(timer);
    await isAlive();
  });
});

test.skipIf(!!missing)(
  'a process of the load that has ended is asked in vain, at once',
  async () => {
    const ended = await startVendors();
    await ended.stop();
    await expect(ended.ask('urls')).rejects.toThrow('the vendors ended with SIGTERM');
  },
);

/** A bare socket behind the handshake of a WebSocket. */
async function upgraded(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    'GET /tts/websocket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  // The answer that RFC 6455 has as its sample.
  expect(head.toString()).toContain('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n');
  return socket;
}
