import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BucketAccess } from '../../src/ports/bucket.ts';
import { isLong } from './effort.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

/** Servers that speak S3's protocol: one of npm, and in the long run moto's too, where the machine has it. */
export const S3_SERVERS =
  isLong && hasMoto() ? (['s3rver', 'moto'] as const) : (['s3rver'] as const);
export type S3ServerName = 's3rver' | 'moto';

/** A server with one bucket. */
export interface S3Server {
  readonly access: BucketAccess;
  /** Ends the server; what it has stored stays only on s3rver's disk. */
  pause(): Promise<void>;
  /** Starts it again at the same port. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

const READY_MS = 30_000;

export async function startS3Server(name: S3ServerName = 's3rver'): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-s3-'));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;

  async function resume(): Promise<void> {
    child = name === 'moto' ? startMoto(port) : startS3rver(port, folder);
    await eventually(() => fetch(endpoint), { timeoutMs: READY_MS });
    if (name === 'moto') await fetch(`${endpoint}/calls`, { method: 'PUT' });
  }
  async function pause(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  await resume();
  return {
    access: {
      bucket: 'calls',
      prefix: 'parley/here',
      region: 'us-east-1',
      endpoint,
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
    pause,
    resume,
    async close() {
      await pause();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function startS3rver(port: number, folder: string): ChildProcess {
  const program = fileURLToPath(import.meta.resolve('s3rver/bin/s3rver.js'));
  const options = ['-d', folder, '-a', '127.0.0.1', '-p', String(port), '--silent'];
  const bucket = ['--configure-bucket', 'calls', '--no-vhost-buckets'];
  return spawn(process.execPath, ['--no-deprecation', program, ...options, ...bucket], {
    stdio: 'ignore',
  });
}

function startMoto(port: number): ChildProcess {
  return spawn('moto_server', ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
}

function hasMoto(): boolean {
  try {
    execFileSync('moto_server', ['--help'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
