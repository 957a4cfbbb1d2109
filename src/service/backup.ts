import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { ENCRYPTION_KEY_FILE } from '../config/encryption-key.ts';
import { requeueJobs } from '../jobs/requeue-jobs.ts';
import { closeToOthers, makePrivateFolder, PRIVATE_FILE } from '../lib/private-files.ts';
import { copyFromBucket, copyToBucket } from '../storage/bucket-copy.ts';
import type { Snapshot } from '../store/backup/format.ts';
import { checkRestorable, loadSnapshot, UnfitForRestoreError } from '../store/backup/load.ts';
import { writeSnapshot } from '../store/backup/snapshot.ts';
import { connectForBackup } from '../store/database.ts';
import { createLog } from '../telemetry/log.ts';
import { openServiceDatabase } from './service-store.ts';

const MANIFEST = 'backup.json';
/** Beside what is there of a backup that goes on or broke off. */
const UNFINISHED = 'unfinished';
/** What was in the bucket, under its keys. */
const BUCKET = 'bucket';
const FORMAT = 1;
/** Earlier releases would leave out what was in the bucket. */
const FORMAT_WITH_BUCKET = 2;

/** What a backup says of itself; it is written last, so that a folder without it is no backup. */
interface Manifest extends Snapshot {
  readonly format: number;
  readonly takenAt: string;
  /** Whether the key is in the backup, or has to be configured. */
  readonly key: 'included' | 'ENCRYPTION_KEY';
  /** Undefined if there was none. */
  readonly bucket?: 'included' | 'left out';
}

export interface BackupReport extends Pick<Manifest, 'key' | 'bucket'> {
  readonly calls: number;
  readonly files: number;
}

export interface DataOptions {
  readonly folder: string;
  readonly signal: AbortSignal;
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
 * of calls that are deleted meanwhile may be missing. A folder in which a backup broke off keeps what it has of the
 * bucket; rejects if another one is not empty.
 */
export async function backUp(
  config: Config,
  { folder, signal, withBucket = true }: DataOptions & { readonly withBucket?: boolean },
): Promise<BackupReport> {
  await openFolder(folder);
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
  for (const name of Object.keys(folders)) {
    // After the disk, from which files move there meanwhile.
    if (name === 'deleted-calls' && config.bucket && withBucket)
      files += await copyFromBucket(config.bucket, { folder: join(folder, BUCKET), signal });
    files += await copyOf(name);
  }
  const key = config.encryptionKeys ? 'ENCRYPTION_KEY' : 'included';
  if (key === 'included')
    await copyPrivately(
      join(config.dataDir, ENCRYPTION_KEY_FILE),
      join(folder, ENCRYPTION_KEY_FILE),
    );
  const bucket = config.bucket && (withBucket ? 'included' : 'left out');
  const manifest: Manifest = {
    format: bucket === 'included' ? FORMAT_WITH_BUCKET : FORMAT,
    ...(bucket ? { bucket } : {}),
    takenAt: new Date().toISOString(),
    key,
    ...snapshot,
  };
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: PRIVATE_FILE,
    flush: true,
  });
  await rm(join(folder, UNFINISHED));
  const calls = snapshot.tables.find(({ name }) => name === 'calls')?.rows ?? 0;
  return { calls, files, key, ...(bucket ? { bucket } : {}) };
}

/**
 * Fills an empty database and the folders of this configuration from a backup, and migrates the database to this
 * release. Deletions that this machine knows of are kept: such calls are deleted again at the next start.
 */
export async function restore(
  config: Config,
  { folder, signal }: DataOptions,
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
    if (manifest.bucket === 'included')
      files += await restoreBucket(config, { folder: join(folder, BUCKET), signal });
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
  const { key, bucket } = manifest;
  return { calls, files, key, ...(bucket ? { bucket } : {}) };
}

/** Begins a backup, or goes on with one that broke off. */
async function openFolder(folder: string): Promise<void> {
  await makePrivateFolder(folder);
  const entries = await readdir(folder);
  if (entries.length > 0 && !entries.includes(UNFINISHED))
    throw new UnfitForRestoreError(`${folder} is not empty: name a new folder`);
  await writeFile(join(folder, UNFINISHED), '', { mode: PRIVATE_FILE });
  for (const entry of entries)
    if (entry !== UNFINISHED && entry !== BUCKET)
      await rm(join(folder, entry), { recursive: true });
}

/** To the bucket of this configuration, or to its folders; what lay on the disk takes the place of the same there. */
async function restoreBucket(config: Config, { folder, signal }: DataOptions): Promise<number> {
  if (config.bucket) return copyToBucket(config.bucket, { folder, signal });
  const options = { signal, except: [] };
  return (
    (await copyTree(join(folder, 'recordings'), config.recordingsDir, options)) +
    (await copyTree(join(folder, 'files'), config.filesDir, options))
  );
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => {
    throw new UnfitForRestoreError(`${folder} is no backup, or one that was not finished`);
  });
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format > FORMAT_WITH_BUCKET)
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
