import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { BusRefusedError } from '../../src/cluster/bus-refused-error.ts';
import type { BusAccess } from '../../src/cluster/nats-connection.ts';
import type { Reachable } from '../../src/cluster/transport.ts';
import { NodeAwayError } from '../../src/lib/node-away-error.ts';
import { createAuthority } from '../support/certificates.ts';
import { isLong } from '../support/effort.ts';
import { natsAccount } from '../support/nats-account.ts';
import { NatsServer, natsMissing } from '../support/nats-server.ts';
import { describeBus } from './bus-contract.ts';
import { type BusNode, openNode, relayTo } from './bus-node.ts';

/** Two nodes; `access` absent: by the sockets of this machine. */
async function openTwo(access?: BusAccess, dispose: () => Promise<void> = async () => {}) {
  const directory = new Map<string, Reachable>();
  const [a, b] = [await openNode(directory, access), await openNode(directory, access)];
  return {
    a,
    b,
    async close() {
      await Promise.all([a.close(), b.close()]);
      await dispose();
    },
  };
}

describeBus('the sockets of this machine', '', () => openTwo());

describeBus('NATS', natsMissing, async () => {
  const server = await NatsServer.start();
  return openTwo({ url: server.url }, () => server[Symbol.asyncDispose]());
});

const TLS = 'tls { cert_file: "$FOLDER/cert.pem", key_file: "$FOLDER/key.pem" }';

/** One that demands TLS and a password, and allows no more subjects than the documentation says. */
async function startGuarded() {
  const authority = createAuthority();
  const { cert, key } = authority.issue(['localhost']);
  const server = await NatsServer.start({
    config: `${TLS}
authorization { users: [{ user: parley, password: "pass w/rd", permissions: { publish: "parley.>", subscribe: "parley.>" } }] }`,
    files: { 'cert.pem': cert, 'key.pem': key, 'ca.pem': authority.cert },
  });
  const caFile = join(server.folder, 'ca.pem');
  const address = `localhost:${server.port}`;
  return { server, caFile, address, url: `tls://parley:pass%20w%2Frd@${address}` };
}

if (isLong)
  describeBus('NATS with TLS and a password', natsMissing, async () => {
    const { server, caFile, url } = await startGuarded();
    return openTwo({ url, caFile }, () => server[Symbol.asyncDispose]());
  });

describe.skipIf(natsMissing !== '')(`NATS${natsMissing}`, () => {
  test('a password, a certificate or a lack of TLS that is wrong lets nobody in', async () => {
    const { server, caFile, address, url } = await startGuarded();
    await using _ = server;
    const directory = new Map<string, Reachable>();
    const wrong = { url: `tls://parley:wrong@${address}`, caFile };
    await expect(openNode(directory, wrong)).rejects.toThrow(BusRefusedError);
    // As one that is away: it may be given another certificate.
    const distrusting = await openNode(directory, { url });
    const other = await openNode(directory, { url, caFile });
    await expect(distrusting.bus.ask(other.id, 'x', null)).rejects.toThrow('is away');
    await Promise.all([distrusting.close(), other.close()]);

    await using plain = await NatsServer.start();
    const demanding = await openNode(directory, { url: `tls://localhost:${plain.port}` });
    const open = await openNode(directory, { url: plain.url });
    await expect(demanding.bus.ask(open.id, 'x', null)).rejects.toThrow('is away');
    await Promise.all([demanding.close(), open.close()]);
  });

  test('a token lets in', async () => {
    await using server = await NatsServer.start({ config: 'authorization { token: "t0ken" }' });
    const url = `nats://t0ken@127.0.0.1:${server.port}`;
    await using rig = disposable(await openTwo({ url }));
    await asksAndAnswers(rig.a, rig.b);
    await expect(openNode(new Map(), { url: server.url })).rejects.toThrow(BusRefusedError);
  });

  test('a file of credentials lets in', async () => {
    const { config, credentials } = natsAccount();
    await using server = await NatsServer.start({ config });
    const credentialsFile = join(server.folder, 'user.creds');
    await writeFile(credentialsFile, credentials);
    await using rig = disposable(await openTwo({ url: server.url, credentialsFile }));
    await asksAndAnswers(rig.a, rig.b);
  });

  test('a server that is away at the start is found when it comes', async () => {
    await using server = await NatsServer.start();
    await server.kill();
    await using rig = disposable(await openTwo({ url: server.url }));
    await expect(rig.a.bus.ask(rig.b.id, 'x', null)).rejects.toThrow('the NATS server is away');
    await server.comeBack();
    await expect.poll(() => isAnswered(rig.a, rig.b)).toBe(true);
  });

  test('one of several servers is enough', async () => {
    await using server = await NatsServer.start();
    await using gone = await NatsServer.start();
    await gone.kill();
    await using rig = disposable(await openTwo({ url: `${gone.url},${server.url}` }));
    await expect.poll(() => isAnswered(rig.a, rig.b)).toBe(true);
  });

  test('it goes and comes back: questions end by their deadline, and a relayed socket loses nothing', async () => {
    await using server = await NatsServer.start();
    await using rig = disposable(await openTwo({ url: server.url }));
    const { a, b } = rig;
    const sockets = new WebSocketServer({ noServer: true });
    b.onUpgrade((incoming, socket, head) =>
      sockets.handleUpgrade(incoming, socket as never, head, (one) => {
        one.on('message', (data, isBinary) => one.send(data, { binary: isBinary }));
      }),
    );
    await using front = await relayTo(a, b.id);
    const socket = new WebSocket(`${front.url}/media/web/x`);
    await once(socket, 'open');
    const heard: string[] = [];
    socket.on('message', (data) => heard.push(String(data)));
    socket.send('before');
    await expect.poll(() => heard).toEqual(['before']);

    for (const round of ['first', 'second']) {
      await server.kill();
      socket.send(`while it is away, ${round}`);
      await expect(a.bus.ask(b.id, 'x', null, { timeoutMs: 200 })).rejects.toThrow(NodeAwayError);
      for (let i = 0; i < 50; i++) socket.send(`${round} ${i}`);
      await server.comeBack();
      await expect.poll(() => heard.at(-1)).toBe(`${round} 49`);
      await expect.poll(() => isAnswered(a, b)).toBe(true);
    }
    const sent = ['first', 'second'].flatMap((round) => [
      `while it is away, ${round}`,
      ...Array.from({ length: 50 }, (_, i) => `${round} ${i}`),
    ]);
    expect(heard).toEqual(['before', ...sent]);
    socket.terminate();
  });

  test('an answer or a question that is larger than its messages may be is refused', async () => {
    await using server = await NatsServer.start({ config: 'max_payload: 65536' });
    await using rig = disposable(await openTwo({ url: server.url }));
    const { a, b } = rig;
    b.bus.answer('repeat', async (body) => 'x'.repeat(body as number));
    expect(await a.bus.ask(b.id, 'repeat', 60_000)).toHaveLength(60_000);
    await expect(a.bus.ask(b.id, 'repeat', 70_000)).rejects.toThrow('the answer is too large');
    await expect(a.bus.ask(b.id, 'repeat', 'x'.repeat(70_000))).rejects.toThrow(
      'the question is too large',
    );
  });
});

async function asksAndAnswers(a: BusNode, b: BusNode): Promise<void> {
  b.bus.answer('here', async () => b.id);
  expect(await a.bus.ask(b.id, 'here', null)).toBe(b.id);
}

async function isAnswered(a: BusNode, b: BusNode): Promise<boolean> {
  b.bus.answer('here', async () => b.id);
  const answer = await a.bus.ask(b.id, 'here', null, { timeoutMs: 500 }).catch(() => undefined);
  return answer === b.id;
}

const disposable = <Rig extends { close(): Promise<void> }>(rig: Rig) =>
  Object.assign(rig, { [Symbol.asyncDispose]: () => rig.close() });
