import { execFile } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The server that a data folder's pid file names. */
export interface RunningServer {
  readonly pid: number;
  readonly socketDir: string;
}

/**
 * Reads who serves this data. A file left by a server that is gone, or whose number now belongs to
 * another process (after a reboot, in a container), would keep Postgres from starting: it is removed.
 */
export async function findRunningServer(clusterDir: string): Promise<RunningServer | undefined> {
  const lines = await readLive(join(clusterDir, 'postmaster.pid'), clusterDir);
  return lines && { pid: pidOf(lines), socketDir: lines[4] ?? '' };
}

/** The same for the lock beside the socket, which such a server leaves as well. */
export async function removeStaleSocketLock(socketDir: string, clusterDir: string): Promise<void> {
  await readLive(join(socketDir, '.s.PGSQL.5432.lock'), clusterDir);
}

async function readLive(path: string, clusterDir: string): Promise<string[] | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  if (await serves(pidOf(lines), clusterDir)) return lines;
  await rm(path, { force: true });
  return undefined;
}

function pidOf([first = '']: readonly string[]): number {
  // Negative while a server stands alone, without its usual processes.
  return Math.abs(Number.parseInt(first, 10)) || 0;
}

async function serves(pid: number, clusterDir: string): Promise<boolean> {
  if (pid === 0) return false;
  try {
    return await (process.platform === 'linux' ? byProc(pid, clusterDir) : byPs(pid));
  } catch {
    return false;
  }
}

/** A server's working directory is its data; the state of one that is dead but not yet buried is Z. */
async function byProc(pid: number, clusterDir: string): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8');
  const state = status[status.lastIndexOf(')') + 2];
  if (state === 'Z' || state === 'X') return false;
  const [cwd, cluster] = await Promise.all([readlink(`/proc/${pid}/cwd`), realpath(clusterDir)]);
  return cwd === cluster;
}

async function byPs(pid: number): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=,comm=', '-p', `${pid}`]);
  return !stdout.trim().startsWith('Z') && stdout.includes('postgres');
}
