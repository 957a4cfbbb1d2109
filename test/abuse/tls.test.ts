import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { startAsteriskEmulator } from '../../src/carriers/emulator/asterisk-side.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { type Certificate, createAuthority, selfSigned } from '../support/certificates.ts';
import { isLong } from '../support/effort.ts';
import { callWithKeys } from '../support/keypad-caller.ts';
import { SERVICE_KEY, type ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';
import { startTlsProxy } from '../support/tls-proxy.ts';

const DAY_MS = 86_400_000;
const at = (days: number) => new Date(Date.now() + days * DAY_MS);
const authority = createAuthority();

let folder: string;
let trusting: ServiceProcess;
let other: ServiceProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-tls-'));
  await writeFile(join(folder, 'authority.pem'), authority.cert);
  const env = {
    NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem'),
    ALLOW_PRIVATE_TARGETS: 'true',
    LOG_LEVEL: 'info',
  };
  trusting = await startTestService(folder, { ...env, TRUSTED_PROXIES: '127.0.0.1' });
  const second = await mkdtemp(join(folder, 'other-'));
  other = await startTestService(second, env);
});
afterAll(async () => {
  await trusting?.stop();
  await other?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('servers that teams name', () => {
  const open: Server[] = [];
  afterAll(() => {
    for (const server of open) server.close();
  });

  async function listen(server: Server): Promise<string> {
    open.push(server);
    server.unref();
    server.listen(0, 'localhost');
    await once(server, 'listening');
    return `https://localhost:${(server.address() as AddressInfo).port}`;
  }
  const secure = (certificate: Certificate) =>
    listen(createServer(certificate, (_, response) => response.end('"fine"')));

  const SERVERS: Readonly<Record<string, readonly [start: () => Promise<string>, reason: string]>> =
    {
      expired: [
        () => secure(authority.issue(['localhost'], { from: at(-3), to: at(-2) })),
        'its certificate has expired',
      ],
      'not valid yet': [
        () => secure(authority.issue(['localhost'], { from: at(2), to: at(3) })),
        'its certificate is not valid yet',
      ],
      'self-signed': [() => secure(selfSigned(['localhost'])), 'its certificate is self-signed'],
      "another authority's": [
        () => secure(createAuthority('Stranger').issue(['localhost'])),
        'its certificate was issued by an authority that is not trusted',
      ],
      "another name's": [
        () => secure(authority.issue(['other.example'])),
        'its certificate is for another name',
      ],
      'no TLS at all': [
        () => listen(createTcpServer((socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n'))),
        'it does not speak TLS as it should',
      ],
      'a handshake that never comes': [
        () => listen(createTcpServer((socket) => void socket.on('error', () => undefined))),
        'did not accept a connection within 3000 ms',
      ],
    };

  let tools = 0;
  async function trial(url: string) {
    const { _id } = await other.json<{ _id: string }>('/assistants/v1/tools', {
      method: 'POST',
      body: { function: { name: `ask${tools++}` }, server: { url } },
    });
    const path = `/assistants/v1/tools/${_id}/test`;
    return other.json<{ ok: boolean; error?: string }>(path, { method: 'POST', body: {} });
  }

  test.each(Object.entries(SERVERS))(
    '%s: the trial of a tool says so',
    async (_, [start, reason]) => {
      expect(await trial(await start())).toMatchObject({
        ok: false,
        error: expect.stringContaining(reason),
      });
    },
  );

  test('what the authority issued for the name is taken', async () => {
    expect(await trial(await secure(authority.issue(['localhost'])))).toMatchObject({ ok: true });
  });

  test.runIf(isLong)(
    'model, webhook receiver and Asterisk whose certificate has expired: each place says so',
    async () => {
      const [start, reason] = SERVERS.expired as (typeof SERVERS)[string];
      const url = await start();
      await other.json('/assistants/v1/numbers/asterisk', {
        method: 'POST',
        body: {
          number: '+15005550175',
          credentials: { ariUrl: `${url}/ari`, user: 'u', password: 'p' },
        },
      });
      const { _id } = await other.json<{ _id: string }>('/assistants/v1/assistants', {
        method: 'POST',
        body: {
          name: 'Ada',
          welcomeMessage: 'Hello.',
          assistantProvider: 'custom-llm',
          assistantLLMUrl: url,
          assistantServer: { enabled: true, url },
          dtmfInputEnabled: true,
        },
      });
      const { id, over } = await callWithKeys(other, { assistantId: _id, turns: 1 });
      await over;
      const call = `/calls/v1/conversations/${id}`;
      const textOf = async (path: string) => {
        const headers = { authorization: `Bearer ${SERVICE_KEY}` };
        return (await fetch(other.url + path, { headers })).text();
      };
      await expect.poll(() => textOf(`${call}/events`)).toContain(`custom-llm: The connection to`);
      expect(await textOf(`${call}/events`)).toContain(reason);
      await expect.poll(() => textOf(`${call}/deliveries`)).toContain(reason);
      const told = () => other.output.split('\n').filter((line) => line.includes('"asterisk"'));
      await expect.poll(() => told().join('\n')).toContain(reason);
    },
  );
});

test("a team's Asterisk behind TLS is followed where its certificate is good", async () => {
  await using asterisk = await startAsteriskEmulator({ clock: systemClock });
  const ariUrl = new URL(asterisk.baseUrl);
  await using proxy = await startTlsProxy(authority.issue(['localhost']), ariUrl.origin);
  await other.json('/assistants/v1/numbers/asterisk', {
    method: 'POST',
    body: {
      number: '+15005550176',
      credentials: {
        ...asterisk.credentials,
        ariUrl: `https://${proxy.host}${ariUrl.pathname}`,
      },
    },
  });
  await expect.poll(() => other.output).toContain("connected to a carrier's event stream");
});

describe('behind a proxy that ends TLS', () => {
  const certificate = authority.issue(['localhost']);
  const ca = authority.cert;

  /** A web call's socket, as the proxy's clients are told to open it. */
  async function connectThrough(host: string): Promise<string> {
    const asked = request(`https://${host}/calls/v1/conversations/connect`, {
      ca,
      method: 'POST',
      headers: { authorization: `Bearer ${SERVICE_KEY}`, 'content-type': 'application/json' },
    });
    asked.end(JSON.stringify({ direction: 'inbound', assistant: { name: 'Ada' } }));
    const [response] = await once(asked, 'response');
    const { webCall } = (await json(response)) as { webCall: { url: string } };
    return webCall.url;
  }

  /** Why a socket with a token that nobody issued is closed; those that are not read hold their place meanwhile. */
  async function refusalOf(url: string, options: ClientOptions): Promise<string> {
    const socket = new WebSocket(url, { ca, ...options });
    const [, reason] = await once(socket, 'close');
    return String(reason);
  }
  async function idle(
    count: number,
    url: (n: number) => string,
    options: (n: number) => ClientOptions,
  ) {
    const sockets = Array.from({ length: count }, async (_, n) => {
      const socket = new WebSocket(url(n), { ca, ...options(n) });
      socket.on('error', () => undefined);
      // From the first byte on: it does not answer the close either.
      socket.once('upgrade', (response) => response.socket.pause());
      await once(socket, 'open');
      return socket;
    });
    const opened = await Promise.all(sockets);
    return { [Symbol.dispose]: () => void opened.map((socket) => socket.terminate()) };
  }

  test('a trusted one: the call is answered over wss', async () => {
    await using proxy = await startTlsProxy(certificate, trusting.url);
    const url = await connectThrough(proxy.host);
    expect(url.startsWith(`wss://${proxy.host}/media/web/`)).toBe(true);
    const socket = new WebSocket(url, { ca });
    await once(socket, 'open');
    const heard = once(socket, 'message');
    socket.send('{"type":"start","sampleRate":16000}');
    expect(JSON.parse(String((await heard)[0]))).toMatchObject({ type: 'ready' });
    socket.terminate();
  });

  test('one that is not named is not believed', async () => {
    await using proxy = await startTlsProxy(certificate, other.url);
    expect(await connectThrough(proxy.host)).toMatch(/^ws:/);
  });

  test('a trusted one: its clients count by their own addresses, whatever they claim', async () => {
    await using proxy = await startTlsProxy(certificate, trusting.url);
    const url = `wss://${proxy.host}/media/web/nobodys`;
    const claims = (n: number) => ({
      localAddress: '127.0.0.66',
      headers: { 'x-forwarded-for': `203.0.113.${n}` },
    });
    using _ = await idle(32, (n) => `${url}${n}`, claims);
    expect(await refusalOf(`${url}-more`, claims(99))).toBe('busy');
    expect(await refusalOf(`${url}-other`, { localAddress: '127.0.0.67' })).toBe('unknown-token');
  });

  test('where none is named, a claim to be another address counts for nothing', async () => {
    const url = `${other.url.replace('http', 'ws')}/media/web/nobodys`;
    const claims = (n: number) => ({ headers: { 'x-forwarded-for': `203.0.113.${n}` } });
    using _ = await idle(32, (n) => `${url}${n}`, claims);
    expect(await refusalOf(`${url}-more`, claims(99))).toBe('busy');
  });
});
