import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chown, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { isAlive } from './is-alive.ts';
import { UnusableDataError } from './unusable-data-error.ts';

/** The only role of the database. It needs no password, since the socket is protected by its permissions. */
export const DATABASE_USER = 'parley';

const INITDB_TIMEOUT_MS = 120_000;
const DRAFT = 'postgres.draft-';
/** Drafts that this process is creating. */
const drafting = new Set<string>();

export interface ClusterContext {
  readonly dataDir: string;
  readonly clusterDir: string;
  readonly binaries: Binaries;
  readonly account: Account | undefined;
  /** True if the server's user can access the data folder by its path. */
  readonly reachable: boolean;
  /** Number of processes of the service that will connect. */
  readonly processes: number;
}

/** The argument with the server's data folder: relative to its working directory if its user cannot access the path. */
export function dataArgument(context: ClusterContext, directory: string): string {
  return context.reachable ? directory : '/proc/self/cwd';
}

/**
 * Creates the data folder on the first start. An interrupted start leaves only a draft behind.
 * @param onMaking called when initdb runs, if it has to.
 */
export async function ensureCluster(
  context: ClusterContext,
  onMaking: () => void = () => undefined,
): Promise<{ readonly made: boolean }> {
  await removeDeadDrafts(context.dataDir);
  const version = await readFile(join(context.clusterDir, 'PG_VERSION'), 'utf8').catch(
    () => undefined,
  );
  if (version !== undefined) {
    refuseOtherMajor(context, version.trim());
    return { made: false };
  }
  const name = `${DRAFT}${process.pid}-${randomUUID()}`;
  const draft = join(context.dataDir, name);
  drafting.add(name);
  try {
    await mkdir(draft, { mode: 0o700 });
    if (context.account) await chown(draft, context.account.uid, context.account.gid);
    await initialise(context, draft, onMaking);
    await rename(draft, context.clusterDir);
    return { made: true };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another service was first; claiming the server decides which one owns it.
    if (isTaken(error)) return { made: false };
    throw error;
  } finally {
    drafting.delete(name);
  }
}

async function initialise(
  context: ClusterContext,
  draft: string,
  onMaking: () => void,
): Promise<void> {
  const making = initdb(context, draft, [
    ...['-D', dataArgument(context, draft), '-U', DATABASE_USER, '-E', 'UTF8', '--locale=C'],
    ...['--auth-local=trust', '--auth-host=reject', '--no-instructions'],
  ]);
  onMaking();
  await making;
}

async function initdb(context: ClusterContext, cwd: string, args: string[]): Promise<void> {
  const { account, binaries } = context;
  try {
    await promisify(execFile)(binaries.initdb, args, {
      cwd,
      env: { LC_ALL: 'C' },
      timeout: INITDB_TIMEOUT_MS,
      ...(account ? { uid: account.uid, gid: account.gid } : {}),
    });
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new UnusableDataError(
      `the embedded database could not be made in ${context.dataDir}: ${stderr.trim() || message}`,
      { cause: error },
    );
  }
}

function refuseOtherMajor({ clusterDir, binaries }: ClusterContext, version: string): void {
  const major = binaries.version.split('.')[0];
  if (version === major) return;
  throw new UnusableDataError(
    `${clusterDir} was made by Postgres ${version} and this is ${major}: start the release that made it, or move the data with pg_dump`,
  );
}

async function removeDeadDrafts(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(DRAFT)) continue;
    const pid = Number.parseInt(name.slice(DRAFT.length), 10);
    // In a container this process may have the same process id as the one that died.
    if (pid === process.pid ? drafting.has(name) : isAlive(pid)) continue;
    await rm(join(dataDir, name), { recursive: true, force: true });
  }
}

function isTaken(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOTEMPTY' || code === 'EEXIST';
}
