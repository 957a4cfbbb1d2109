import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { ENCRYPTION_KEY_FILE } from '../config/encryption-key.ts';
import { requeueJobs } from '../jobs/requeue-jobs.ts';
import { closeToOthers, makePrivateFolder, PRIVATE_FILE } from '../lib/private-files.ts';
import type { Snapshot } from '../store/backup/format.ts';
import { checkRestorable, loadSnapshot, UnfitForRestoreError } from '../store/backup/load.ts';
import { writeSnapshot } from '../store/backup/snapshot.ts';
import { connectForBackup } from '../store/database.ts';
import { createLog } from '../telemetry/log.ts';
import { openServiceDatabase } from './service-store.ts';

const MANIFEST = 'backup.json';
const FORMAT = 1;

/** What a backup says of itself; it is written last, so that a folder without it is no backup. */
interface Manifest extends Snapshot {
  readonly format: number;
  readonly takenAt: string;
  /** Whether the key is in the backup, or has to be configured. */
  readonly key: 'included' | 'ENCRYPTION_KEY';
}

export interface BackupReport {
  readonly calls: number;
  readonly files: number;
  readonly key: Manifest['key'];
}

/** Folders of files and where the service has them. */
function foldersOf(config: Config): Readonly<Record<string, string>> {
  return {
    'unsaved-records': join(config.dataDir, 'unsaved-records'),
    recordings: config.recordingsDir,
    files: config.filesDir,
    // Last: what is deleted while the backup is taken is deleted from it when it is restored.
    'deleted-calls': config.deletedCallsDir,
  };
}

const databaseOf = ({ databaseUrl, dataDir }: Config) =>
  databaseUrl ? { databaseUrl } : { dataDir };

/**
 * Writes the database as it is at one instant, then all files and the key, to a new folder; the service may run. Files
 * of calls that are deleted meanwhile may be missing. Rejects if the folder exists and is not empty.
 */
export async function backUp(
  config: Config,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<BackupReport> {
  await makePrivateFolder(folder);
  if ((await readdir(folder)).length > 0)
    throw new UnfitForRestoreError(`${folder} is not empty: name a new folder`);
  const folders = foldersOf(config);
  const copyOf = (name: string) =>
    copyTree(folders[name] as string, join(folder, name), {
      signal,
      // Without a folder of their own, recordings lie beside those of the other kinds.
      except: Object.values(folders).map((path) => resolve(path)),
    });
  // Before and after: the start of a service moves these from files into the database.
  await copyOf('unsaved-records');
  const database = await connectForBackup(databaseOf(config));
  let snapshot: Snapshot;
  try {
    snapshot = await writeSnapshot(database.connection, join(folder, 'database'), signal);
  } finally {
    await database.close();
  }
  let files = 0;
  for (const name of Object.keys(folders)) files += await copyOf(name);
  const key = config.encryptionKeys ? 'ENCRYPTION_KEY' : 'included';
  if (key === 'included')
    await copyPrivately(
      join(config.dataDir, ENCRYPTION_KEY_FILE),
      join(folder, ENCRYPTION_KEY_FILE),
    );
  const manifest: Manifest = {
    format: FORMAT,
    takenAt: new Date().toISOString(),
    key,
    ...snapshot,
  };
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: PRIVATE_FILE,
    flush: true,
  });
  const calls = snapshot.tables.find(({ name }) => name === 'calls')?.rows ?? 0;
  return { calls, files, key };
}

/**
 * Fills an empty database and the folders of this configuration from a backup, and migrates the database to this
 * release. Deletions that this machine knows of are kept: such calls are deleted again at the next start.
 */
export async function restore(
  config: Config,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<BackupReport> {
  const manifest = await readManifest(folder);
  if (manifest.key === 'ENCRYPTION_KEY' && !config.encryptionKeys)
    throw new UnfitForRestoreError(
      'the backup has no key: set ENCRYPTION_KEY to the one with which it was made',
    );
  await mkdir(config.dataDir, { recursive: true });
  const database = await connectForBackup(databaseOf(config));
  let files = 0;
  try {
    await checkRestorable(database.connection, manifest);
    const key = join(folder, ENCRYPTION_KEY_FILE);
    if (manifest.key === 'included' && !config.encryptionKeys)
      await copyPrivately(key, join(config.dataDir, ENCRYPTION_KEY_FILE));
    for (const [name, path] of Object.entries(foldersOf(config))) {
      files += await copyTree(join(folder, name), path, { signal, except: [] });
      await closeToOthers(path);
    }
    // Last: what fails before leaves an empty database, and can be tried again.
    await loadSnapshot(database.connection, join(folder, 'database'), manifest);
  } finally {
    await database.close();
  }
  // Migrates it, and finds out whether the key is the right one.
  const opened = await openServiceDatabase(config, { log: createLog('silent') });
  try {
    await requeueJobs(opened.connection, join(folder, 'database'));
  } finally {
    await opened.close();
  }
  const calls = manifest.tables.find(({ name }) => name === 'calls')?.rows ?? 0;
  return { calls, files, key: manifest.key };
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => {
    throw new UnfitForRestoreError(`${folder} is no backup, or one that was not finished`);
  });
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format !== FORMAT)
    throw new UnfitForRestoreError(
      'the backup was made by a newer release: restore it with that one',
    );
  return manifest;
}

/** Copies files that may be written or removed meanwhile; returns how many. */
async function copyTree(
  from: string,
  to: string,
  { signal, except }: { readonly signal: AbortSignal; readonly except: readonly string[] },
): Promise<number> {
  const entries = await readdir(from, { withFileTypes: true }).catch(unlessMissing([]));
  let copied = 0;
  for (const entry of entries) {
    signal.throwIfAborted();
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && !except.includes(resolve(source)))
      copied += await copyTree(source, target, { signal, except });
    else if (entry.isFile())
      copied += await copyPrivately(source, target).then(() => 1, unlessMissing(0));
  }
  return copied;
}

async function copyPrivately(from: string, to: string): Promise<void> {
  await stat(from);
  await makePrivateFolder(dirname(to));
  await copyFile(from, to);
}

function unlessMissing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code !== 'ENOENT') throw error;
    return instead;
  };
}
