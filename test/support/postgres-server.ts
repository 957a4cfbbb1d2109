import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
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
  /** Ends it, sessions and all; `immediate`: as a crash would. */
  shutDown(mode: 'fast' | 'immediate'): Promise<void>;
  /** Starts it again at the same address. */
  comeBack(): Promise<void>;
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
  {
    syncs = false,
    host = '127.0.0.1',
    startedBy = [],
    folder,
  }: {
    readonly syncs?: boolean;
    readonly host?: string;
    /** Command and arguments that start it, such as those of another network. */
    readonly startedBy?: readonly string[];
    /** An empty one, which goes with the server. */
    readonly folder?: string;
  } = {},
): Promise<PostgresServer> {
  const account = await findServerAccount('/nonexistent');
  const identity = account ? { uid: account.uid, gid: account.gid } : {};
  const root = folder ?? (await mkdtemp(join(tmpdir(), 'parley-test-pg-')));
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
  await appendFile(join(data, 'pg_hba.conf'), 'host all all samenet scram-sha-256\n');
  const port = await freePort();
  const settings = [
    `port=${port}`,
    `listen_addresses=${host}`,
    `unix_socket_directories=`,
    `fsync=${syncs ? 'on' : 'off'}`,
  ];
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  // What enters another network is root, and becomes the account there.
  const enters = startedBy.length > 0 && account !== undefined;
  const becomes = enters
    ? ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups']
    : [];
  const launch = ['/bin/sh', '-c', LAUNCHER, 'sh', join(bin, 'postgres'), ...args];
  const [command, ...rest] = [...startedBy, ...becomes, ...launch];
  const url = (database: string) => `postgres://parley:secret@${host}:${port}/${database}`;
  const start = async () => {
    const child = spawn(command as string, rest, {
      cwd: root,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      ...(enters ? {} : identity),
    });
    const running = { child, exited: once(child, 'exit') };
    try {
      await waitUntilReady(url('postgres'));
    } catch (error) {
      await end(running, 'SIGQUIT');
      throw error;
    }
    return running;
  };
  let running: Running;
  try {
    running = await start();
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw error;
  }
  return {
    url,
    get pid() {
      return running.child.pid as number;
    },
    shutDown: (mode) => end(running, mode === 'fast' ? 'SIGINT' : 'SIGQUIT'),
    async comeBack() {
      running = await start();
    },
    async stop() {
      await end(running, 'SIGQUIT');
      await rm(root, { recursive: true, force: true });
    },
  };
}

interface Running {
  readonly child: ChildProcess;
  readonly exited: Promise<unknown>;
}

async function end({ child, exited }: Running, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  child.stdin?.end();
  await exited;
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
