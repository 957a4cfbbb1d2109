import { once } from 'node:events';
import { chmod, chown, lstat, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Answers } from '../../src/cluster/answers.ts';
import { linkAddress, readAddress } from '../../src/cluster/link-address.ts';
import { LinkServer } from '../../src/cluster/link-server.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const before = process.env.TMPDIR;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-link-'));
  process.env.TMPDIR = folder;
});
afterEach(async () => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  await rm(folder, { recursive: true, force: true });
});

const usual = () => join(folder, `parley-nodes-${userInfo().uid}`);

async function folderOfLink(): Promise<string> {
  const address = await linkAddress('node');
  return dirname(address.path);
}

test('the folder of sockets is made for its owner alone, and used again', async () => {
  expect(await folderOfLink()).toBe(usual());
  expect((await lstat(usual())).mode & 0o777).toBe(0o700);
  expect(await folderOfLink()).toBe(usual());
});

test.each<[string, () => Promise<unknown>]>([
  [
    'a folder that others may enter',
    async () => {
      await mkdir(usual());
      await chmod(usual(), 0o755);
    },
  ],
  [
    'a link',
    async () => {
      await mkdir(join(folder, 'elsewhere'), { mode: 0o700 });
      await symlink(join(folder, 'elsewhere'), usual());
    },
  ],
])('%s in its place is passed over', async (_, plant) => {
  await plant();
  const used = await folderOfLink();
  expect(used).not.toBe(usual());
  expect(dirname(used)).toBe(folder);
  expect((await lstat(used)).mode & 0o777).toBe(0o700);
});

test.runIf(process.getuid?.() === 0)(
  'a folder of another user in its place is passed over',
  async () => {
    await mkdir(usual(), { mode: 0o700 });
    await chown(usual(), 12_345, 12_345);
    expect(await folderOfLink()).not.toBe(usual());
  },
);

test('a socket that is passed on keeps the address of its client, which the client cannot choose', async () => {
  const server = new LinkServer({ answers: new Answers({ log }) });
  await server.listen(await linkAddress('node'));
  const upgraded = new Promise<IncomingMessage>((resolve) =>
    server.onUpgrade((request, socket) => {
      resolve(request);
      socket.destroy();
    }),
  );
  const socket = connect(readAddress(server.address));
  await once(socket, 'connect');
  const lines = [
    'GET /media/web/x HTTP/1.1',
    'connection: upgrade',
    'upgrade: websocket',
    'host: x',
  ];
  socket.write(`${[...lines, 'x-parley-address: 192.0.2.9'].join('\r\n')}\r\n\r\n`);
  const { headers, socket: passed } = await upgraded;
  expect(passed.remoteAddress).toBe('192.0.2.9');
  expect(headers).not.toHaveProperty('x-parley-address');
  socket.destroy();
  await server.close();
});

test('a connection is kept until its asker closes it: one closed as a question comes would lose it', async () => {
  const answers = new Answers({ log });
  answers.set('sum', (body) => Promise.resolve((body as number[]).reduce((a, b) => a + b)));
  const server = new LinkServer({ answers });
  await server.listen(await linkAddress('node'));
  const socket = connect(readAddress(server.address)).setEncoding('utf8');
  const body = '[1,2,3]';
  const lines = ['POST /sum HTTP/1.1', 'host: x', `content-length: ${body.length}`];
  for (let asked = 0; asked < 2; asked++) {
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
    let answer = '';
    while (!answer.endsWith('\r\n0\r\n\r\n')) answer += (await once(socket, 'data'))[0];
    expect(answer).toContain('{"answer":6}');
    expect(answer).toMatch(/^connection: keep-alive/im);
    // That would say how soon it is closed if nothing is asked.
    expect(answer).not.toMatch(/^keep-alive:/im);
  }
  socket.destroy();
  await server.close();
});
