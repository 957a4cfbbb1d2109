import { execFile } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const PID_FILE = 'postmaster.pid';
const EMPTY_ATTEMPTS = 10;
const EMPTY_PAUSE_MS = 30;

/** The server named in a data folder's pid file. */
export interface RunningServer {
  readonly pid: number;
  readonly socketDir: string;
}

/**
 * Finds the server that uses this data. Removes the pid file of a server that has exited or whose process id now
 * belongs to another process (after a reboot, in a container), since it would keep Postgres from starting.
 */
export async function findRunningServer(clusterDir: string): Promise<RunningServer | undefined> {
  const lines = await readLive(join(clusterDir, PID_FILE), clusterDir);
  return lines && { pid: pidOf(lines), socketDir: lines[4] ?? '' };
}

/** Removes the lock beside the socket, which such a server leaves as well. */
export async function removeStaleSocketLock(socketDir: string, clusterDir: string): Promise<void> {
  await readLive(join(socketDir, '.s.PGSQL.5432.lock'), clusterDir);
}

/** True if the process with this id, and no other, serves this data. */
export async function isServedBy(clusterDir: string, pid: number | undefined): Promise<boolean> {
  const lines = await readLines(join(clusterDir, PID_FILE));
  return lines !== undefined && pidOf(lines) === pid;
}

async function readLive(path: string, clusterDir: string): Promise<string[] | undefined> {
  const lines = await readLines(path);
  if (lines === undefined || (await serves(pidOf(lines), clusterDir))) return lines;
  await rm(path, { force: true });
  return undefined;
}

async function readLines(path: string): Promise<string[] | undefined> {
  for (let attempt = 1; ; attempt++) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    // A server creates the file before it writes to it.
    if (text !== '' || attempt === EMPTY_ATTEMPTS) return text?.split('\n');
    await delay(EMPTY_PAUSE_MS);
  }
}

function pidOf([first = '']: readonly string[]): number {
  // Negative while a server runs in single-user mode.
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

/** A server's working directory is its data folder; a zombie process has the state Z. */
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
