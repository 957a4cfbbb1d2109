import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { findServerAccount } from '../../src/store/embedded/account.ts';
import { LAUNCHER } from '../../src/store/embedded/server-process.ts';
import { freePort } from './free-port.ts';

const INSTALLED = '/usr/lib/postgresql';
const READY_MS = 30_000;

/** A Postgres server as an operator would run one: on TCP, with a password. */
export interface PostgresServer {
  /** Of any database on it. */
  url(database: string): string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Where the machine has a server's programs, the newest first; undefined when it has none. */
export function installedServer(): string | undefined {
  if (!existsSync(INSTALLED)) return undefined;
  return readdirSync(INSTALLED)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(INSTALLED, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
}

/** Starts one in a temporary folder; it ends with this process, whatever happens to it. */
export async function startPostgresServer(
  bin: string,
  /** `syncs`: what is committed outlives a power cut, as it has to where figures are taken. */
  { syncs = false }: { readonly syncs?: boolean } = {},
): Promise<PostgresServer> {
  const account = await findServerAccount('/nonexistent');
  const identity = account ? { uid: account.uid, gid: account.gid } : {};
  const root = await mkdtemp(join(tmpdir(), 'parley-test-pg-'));
  if (account) await chown(root, account.uid, account.gid);
  const data = join(root, 'data');
  const passwordFile = join(root, 'password');
  await writeFile(passwordFile, 'secret', { mode: 0o644 });
  await promisify(execFile)(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'parley', '-A', 'scram-sha-256', '--pwfile', passwordFile].concat([
      '--no-sync',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
    ]),
    { cwd: root, ...identity },
  );
  const port = await freePort();
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=`,
    `fsync=${syncs ? 'on' : 'off'}`,
  ];
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const child = spawn('/bin/sh', ['-c', LAUNCHER, 'sh', join(bin, 'postgres'), ...args], {
    cwd: root,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    ...identity,
  });
  const url = (database: string) => `postgres://parley:secret@127.0.0.1:${port}/${database}`;
  const exited = once(child, 'exit');
  const stop = async () => {
    child.stdin.end();
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGQUIT');
    await exited;
    await rm(root, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(url('postgres'));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, pid: child.pid as number, stop };
}

async function waitUntilReady(connectionString: string): Promise<void> {
  const giveUpAt = performance.now() + READY_MS;
  for (;;) {
    const client = new pg.Client({ connectionString });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
      await delay(25);
    }
  }
}
