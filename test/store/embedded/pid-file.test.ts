import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findRunningServer } from '../../../src/store/embedded/pid-file.ts';

let clusterDir = '';
let pidFile = '';

beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), 'parley-test-pid-'));
  clusterDir = join(root, 'postgres');
  pidFile = join(clusterDir, 'postmaster.pid');
  await mkdir(clusterDir);
});
afterEach(() => rm(join(clusterDir, '..'), { recursive: true, force: true }));

const leave = (pid: number) =>
  writeFile(pidFile, `${pid}\n${clusterDir}\n1700000000\n5432\n/run/somewhere\n\n  0 0\nready\n`);

test('without a pid file nobody runs', async () => {
  expect(await findRunningServer(clusterDir)).toBeUndefined();
});

test('a file that names a process that is gone is removed', async () => {
  const gone = spawn('true');
  await once(gone, 'exit');
  await leave(gone.pid ?? 0);
  expect(await findRunningServer(clusterDir)).toBeUndefined();
  await expect(access(pidFile)).rejects.toThrow('ENOENT');
});

test('a file whose number now belongs to another program is removed', async () => {
  await leave(process.pid);
  expect(await findRunningServer(clusterDir)).toBeUndefined();
  await expect(access(pidFile)).rejects.toThrow('ENOENT');
});

test.each(['', 'garbage', '-', '0\n'])('a file that says %j is removed', async (content) => {
  await writeFile(pidFile, content);
  expect(await findRunningServer(clusterDir)).toBeUndefined();
  await expect(access(pidFile)).rejects.toThrow('ENOENT');
});

// On other platforms a server is recognised by its name, which other processes here do not have.
test.runIf(process.platform === 'linux')(
  'a process that works in the data folder is the server, until it is dead, buried or not',
  async () => {
    const server = spawn('/bin/sh', ['-c', 'read line; exit'], {
      cwd: clusterDir,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const pid = server.pid ?? 0;
    await leave(pid);
    expect(await findRunningServer(clusterDir)).toEqual({ pid, socketDir: '/run/somewhere' });
    server.stdin.end();
    await once(server, 'exit');
    expect(await findRunningServer(clusterDir)).toBeUndefined();
  },
);
