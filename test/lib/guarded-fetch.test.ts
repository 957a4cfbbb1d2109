import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { permittedAddresses, type Resolver } from '../../src/lib/guarded-connector.ts';
import {
  createGuardedFetch,
  type GuardedFetch,
  type GuardedFetchOptions,
  type OutboundResponse,
} from '../../src/lib/guarded-fetch.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { VirtualClock } from '../../src/lib/virtual-clock.ts';
import { startLocalServer } from '../support/local-server.ts';

const live = new AbortController().signal;
const open: GuardedFetch[] = [];

function guarded(options: Partial<GuardedFetchOptions> = {}): GuardedFetch {
  const created = createGuardedFetch({ allowPrivate: false, clock: systemClock, ...options });
  open.push(created);
  return created;
}

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function text(response: OutboundResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function closedPort(): Promise<number> {
  const { port, ...server } = await startLocalServer(() => {});
  await server[Symbol.asyncDispose]();
  return port;
}

describe('private targets', () => {
  test.each([
    'http://127.0.0.1:{port}/',
    'http://127.1:{port}/',
    'http://2130706433:{port}/',
    'http://0x7f000001:{port}/',
    'http://localhost:{port}/',
    'http://[::1]:{port}/',
    'http://[::ffff:127.0.0.1]:{port}/',
    'http://0.0.0.0:{port}/',
  ])('%s is refused before a connection is made', async (pattern) => {
    await using server = await startLocalServer((_, response) => response.end('secret'));
    const url = pattern.replace('{port}', String(server.port));
    await expect(guarded().fetch(url, { signal: live })).rejects.toMatchObject({
      name: 'OutboundError',
      code: 'private_target',
    });
    expect(server.connections()).toBe(0);
  });

  test('a name that resolves to a private address is refused', async () => {
    await using server = await startLocalServer((_, response) => response.end('secret'));
    const resolve: Resolver = async () => [{ address: '127.0.0.1', family: 4 }];
    const url = `http://innocent.example:${server.port}/`;
    await expect(guarded({ resolve }).fetch(url, { signal: live })).rejects.toMatchObject({
      code: 'private_target',
      message: expect.stringContaining('innocent.example'),
    });
    expect(server.connections()).toBe(0);
  });

  test('the address checked is the address connected to: one look-up for both', async () => {
    await using server = await startLocalServer((_, response) => response.end('hello'));
    const answers = ['127.0.0.1', '10.255.255.1'];
    const resolve: Resolver = async () => [{ address: answers.shift() ?? '', family: 4 }];
    const { fetch } = guarded({ allowPrivate: true, resolve });
    const response = await fetch(`http://rebinding.example:${server.port}/`, { signal: live });
    expect(await text(response)).toBe('hello');
    expect(answers).toEqual(['10.255.255.1']);
  });

  test('of a name with public and private addresses only the public ones are used', async () => {
    const resolve: Resolver = async () => [
      { address: '10.0.0.1', family: 4 },
      { address: '1.1.1.1', family: 4 },
      { address: 'fd00::1', family: 6 },
    ];
    const options = { allowPrivate: false, connectTimeoutMs: 1, clock: systemClock, resolve };
    expect(await permittedAddresses('mixed.example', options)).toEqual([
      { address: '1.1.1.1', family: 4 },
    ]);
  });

  test('are reached when the operator allows them', async () => {
    await using server = await startLocalServer((_, response) => response.end('hello'));
    const response = await guarded({ allowPrivate: true }).fetch(server.url, { signal: live });
    expect(response.status).toBe(200);
    expect(await text(response)).toBe('hello');
  });
});

describe('addresses', () => {
  test.each([
    ['not a url', 'not a valid URL'],
    ['file:///etc/passwd', 'file: addresses are not supported'],
    ['ftp://example.com/', 'ftp: addresses are not supported'],
    ['http://user:hunter2@example.com/', 'user name or password'],
  ])('%s is a bad_url', async (url, message) => {
    const attempt = guarded().fetch(url, { signal: live });
    await expect(attempt).rejects.toMatchObject({
      code: 'bad_url',
      message: expect.stringContaining(message),
    });
    await expect(attempt).rejects.not.toMatchObject({
      message: expect.stringContaining('hunter2'),
    });
  });

  test('a name that does not resolve says so', async () => {
    const resolve: Resolver = async () => {
      throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
    };
    const attempt = guarded({ resolve }).fetch('http://nowhere.example/', { signal: live });
    await expect(attempt).rejects.toMatchObject({ code: 'dns_failed' });
  });
});

describe('redirects', () => {
  test('are not followed by default', async () => {
    await using server = await startLocalServer((_, response) =>
      response.writeHead(302, { location: '/next' }).end(),
    );
    const attempt = guarded({ allowPrivate: true }).fetch(server.url, { signal: live });
    await expect(attempt).rejects.toMatchObject({
      code: 'redirect_refused',
      message: expect.stringContaining('302'),
    });
  });

  test('to a private address are refused at every hop', async () => {
    await using inner = await startLocalServer((_, response) => response.end('secret'));
    await using outer = await startLocalServer((_, response) =>
      response.writeHead(307, { location: `http://inner.example:${inner.port}/` }).end(),
    );
    const { fetch } = guarded({
      allowPrivate: true,
      resolve: async (name) => [
        { address: name === 'inner.example' ? '' : '127.0.0.1', family: 4 },
      ],
    });
    await expect(
      fetch(`http://outer.example:${outer.port}/`, { signal: live, maxRedirects: 3 }),
    ).rejects.toMatchObject({ name: 'OutboundError' });
    expect(inner.connections()).toBe(0);
  });

  test('are followed at most as often as asked, without credentials to another origin', async () => {
    const seen: (string | undefined)[] = [];
    await using last = await startLocalServer((request, response) => {
      seen.push(
        request.method,
        request.headers.authorization,
        request.headers['x-secret'] as string,
      );
      response.end('arrived');
    });
    await using first = await startLocalServer((request, response) => {
      const location = request.url === '/1' ? '/2' : last.url;
      response.writeHead(302, { location }).end();
    });
    const { fetch } = guarded({ allowPrivate: true });
    const request = {
      method: 'POST',
      body: '{}',
      headers: { authorization: 'Bearer k', 'x-secret': 's', 'content-type': 'application/json' },
      signal: live,
    } as const;
    const response = await fetch(`${first.url}/1`, { ...request, maxRedirects: 2 });
    expect(await text(response)).toBe('arrived');
    expect(response.url).toBe(`${last.url}/`);
    expect(seen).toEqual(['GET', undefined, undefined]);
    await expect(fetch(`${first.url}/1`, { ...request, maxRedirects: 1 })).rejects.toMatchObject({
      code: 'redirect_refused',
    });
  });
});

describe('bounds', () => {
  test('a body over the limit ends the exchange', async () => {
    await using server = await startLocalServer((_, response) => {
      const pour = (): void => {
        while (response.write(Buffer.alloc(64 * 1024))) {}
        response.once('drain', pour);
      };
      pour();
    });
    const response = await guarded({ allowPrivate: true }).fetch(server.url, {
      signal: live,
      maxResponseBytes: 100_000,
    });
    await expect(text(response)).rejects.toMatchObject({ code: 'response_too_large' });
  });

  test('a target that never accepts is given up at the connect time-out', async () => {
    const clock = new VirtualClock();
    const { fetch } = guarded({
      allowPrivate: true,
      clock,
      connectTimeoutMs: 800,
      resolve: () => {
        queueMicrotask(() => clock.advanceTo(800));
        return new Promise(() => {});
      },
    });
    await expect(fetch('http://blackhole.example/', { signal: live })).rejects.toMatchObject({
      code: 'connect_timeout',
      message: expect.stringContaining('800 ms'),
    });
  });

  test('a closed port is a network error', async () => {
    const port = await closedPort();
    const attempt = guarded({ allowPrivate: true }).fetch(`http://127.0.0.1:${port}/`, {
      signal: live,
    });
    await expect(attempt).rejects.toMatchObject({
      code: 'network',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('an answer that is not HTTP is a bad_response', async () => {
    const server = createServer((socket) =>
      socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.9\r\n')),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const attempt = guarded({ allowPrivate: true }).fetch(`http://127.0.0.1:${port}/`, {
      signal: live,
    });
    await expect(attempt).rejects.toMatchObject({ code: 'bad_response' });
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('abort', () => {
  async function withClientSocket(run: (sockets: Socket[]) => Promise<void>): Promise<void> {
    const sockets: Socket[] = [];
    const note = (message: unknown): void => {
      sockets.push((message as { socket: Socket }).socket);
    };
    subscribe('undici:client:connected', note);
    try {
      await run(sockets);
    } finally {
      unsubscribe('undici:client:connected', note);
    }
  }

  test('destroys the socket at once, while waiting for an answer and mid-body', async () => {
    await using server = await startLocalServer((request, response) => {
      if (request.url === '/body') response.write('begun');
    });
    const { fetch } = guarded({ allowPrivate: true });
    await withClientSocket(async (sockets) => {
      const waiting = new AbortController();
      const attempt = fetch(server.url, { signal: waiting.signal });
      await expect.poll(() => sockets.length).toBe(1);
      waiting.abort();
      expect(sockets[0]?.destroyed).toBe(true);
      await expect(attempt).rejects.toMatchObject({ name: 'AbortError' });

      const reading = new AbortController();
      const response = await fetch(`${server.url}/body`, { signal: reading.signal });
      const all = expect(text(response)).rejects.toMatchObject({ name: 'AbortError' });
      reading.abort();
      await new Promise((resolve) => setImmediate(resolve));
      expect(sockets[1]?.destroyed).toBe(true);
      await all;
    });
  });

  test('a signal that has fired sends nothing', async () => {
    await using server = await startLocalServer((_, response) => response.end());
    const attempt = guarded({ allowPrivate: true }).fetch(server.url, {
      signal: AbortSignal.abort(),
    });
    await expect(attempt).rejects.toMatchObject({ name: 'AbortError' });
    expect(server.connections()).toBe(0);
  });

  test('cancelling an unread answer frees its socket', async () => {
    await using server = await startLocalServer((_, response) => response.write('more to come'));
    const { fetch } = guarded({ allowPrivate: true });
    await withClientSocket(async (sockets) => {
      const response = await fetch(server.url, { signal: live });
      response.cancel();
      await expect.poll(() => sockets[0]?.destroyed).toBe(true);
    });
  });
});

test('connections are kept alive and used again', async () => {
  await using server = await startLocalServer((_, response) => response.end('ok'));
  const { fetch } = guarded({ allowPrivate: true });
  for (let i = 0; i < 10; i++) await text(await fetch(server.url, { signal: live }));
  // A request in the same turn of the event loop may find the connection of the previous one still in use.
  expect(server.connections()).toBeLessThanOrEqual(2);
});
