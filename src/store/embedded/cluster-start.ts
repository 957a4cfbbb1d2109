import { execFile } from 'node:child_process';
import { access, constants, mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Account, findServerAccount } from './account.ts';
import { locateServerPackage, prepareBinaries } from './binaries.ts';
import { type ClusterContext, ensureCluster } from './cluster.ts';
import { UnusableDataError } from './unusable-data-error.ts';

interface Beginning {
  readonly context: ClusterContext;
  readonly made: Promise<unknown>;
}

/** By the data folder, until they are wanted. */
const begun = new Map<string, Promise<Beginning>>();

/**
 * Has the server's files made if there are none, and resolves while that goes on in a process of its own: this one has
 * time to load the rest of the service. Never rejects; {@link readyCluster} tells what went wrong.
 */
export async function beginCluster(dataDirectory: string, processes: number): Promise<void> {
  const beginning = begin(dataDirectory, processes);
  begun.set(dataDirectory, beginning);
  await beginning.catch(() => undefined);
}

/** Resolves when the server's files are there. Rejects with UnusableDataError if the folder cannot be used. */
export async function readyCluster(
  dataDirectory: string,
  processes: number,
): Promise<ClusterContext> {
  const beginning = begun.get(dataDirectory) ?? begin(dataDirectory, processes);
  begun.delete(dataDirectory);
  const { context, made } = await beginning;
  await made;
  return context;
}

async function begin(dataDirectory: string, processes: number): Promise<Beginning> {
  if (process.platform === 'win32') {
    throw new UnusableDataError('the embedded database does not run on Windows: set DATABASE_URL');
  }
  await mkdir(dataDirectory, { recursive: true });
  await access(dataDirectory, constants.W_OK);
  const dataDir = await realpath(dataDirectory);
  const clusterDir = join(dataDir, 'postgres');
  const account = await findServerAccount(clusterDir);
  const [binaries, reachable] = await Promise.all([
    locateServerPackage().then((installed) => prepareBinaries(installed, account)),
    canReach(dataDir, account),
  ]);
  const context = { dataDir, clusterDir, binaries, account, reachable, processes };
  const making = Promise.withResolvers<void>();
  const made = ensureCluster(context, making.resolve);
  await Promise.race([making.promise, made]);
  // Nobody may want it any more.
  made.catch(() => undefined);
  return { context, made };
}

/** True if a user can access a folder, which the permissions of its parents may prevent. */
async function canReach(directory: string, account: Account | undefined): Promise<boolean> {
  if (!account) return true;
  try {
    await promisify(execFile)('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], {
      cwd: '/',
      uid: account.uid,
      gid: account.gid,
    });
    return true;
  } catch {
    return false;
  }
}
