import { execFile } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The server that a data folder's pid file names, if it is alive. */
export interface RunningServer {
  readonly pid: number;
  readonly socketDir: string;
}

/**
 * Reads who serves this data. A file left by a server that is gone, or whose number now belongs to
 * another process (after a reboot, in a container), would keep Postgres from starting: it is removed.
 */
export async function findRunningServer(clusterDir: string): Promise<RunningServer | undefined> {
  const path = join(clusterDir, 'postmaster.pid');
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const [pidLine = '', , , , socketDir = ''] = text.split('\n');
  // While the server stands by for a bootstrap its number is negative.
  const pid = Math.abs(Number.parseInt(pidLine, 10));
  if (pid > 0 && (await serves(pid, clusterDir))) return { pid, socketDir };
  await rm(path, { force: true });
  return undefined;
}

async function serves(pid: number, clusterDir: string): Promise<boolean> {
  return process.platform === 'linux' ? servesByProc(pid, clusterDir) : servesByPs(pid);
}

/** A server's working directory is its data; a zombie's state is Z. */
async function servesByProc(pid: number, clusterDir: string): Promise<boolean> {
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8');
    const state = status.slice(status.lastIndexOf(')') + 2)[0];
    if (state === 'Z' || state === 'X') return false;
    const [cwd, cluster] = await Promise.all([readlink(`/proc/${pid}/cwd`), realpath(clusterDir)]);
    return cwd === cluster;
  } catch {
    return false;
  }
}

async function servesByPs(pid: number): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=,comm=', '-p', `${pid}`]);
    return !stdout.trim().startsWith('Z') && stdout.includes('postgres');
  } catch {
    return false;
  }
}
