import { chmod, lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Modes of files and folders that only the service's user may access. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

const OTHERS = 0o077;
const SHARED = 0o1000;

/** Creates a folder and its missing parents for their owner alone. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER }).catch((error: unknown) => {
    // On a read-only file system Node reports ENOENT here; mkdir without `recursive` reports the real cause.
    const isHidden = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isHidden ? mkdir(path, { mode: PRIVATE_FOLDER }) : Promise.reject(error);
  });
}

/**
 * Creates a folder unless it exists, and removes other users' permissions from it and its contents, whatever modes they
 * were created or restored with. Links are not followed. False if the folder itself stays unchanged because it belongs
 * to another user or all users share it.
 */
export async function closeToOthers(folder: string): Promise<boolean> {
  await makePrivateFolder(folder);
  // Windows has no file modes.
  if (process.getuid === undefined) return true;
  const { uid, mode } = await stat(folder);
  const isOurs = uid === process.getuid() && (mode & SHARED) === 0;
  if (isOurs && (mode & OTHERS) !== 0) await chmod(folder, PRIVATE_FOLDER);
  await closeContents(folder);
  return isOurs;
}

async function closeContents(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const info = await lstat(path).catch(() => undefined);
    if (!info || info.isSymbolicLink()) continue;
    // Files of other users keep their modes.
    if ((info.mode & OTHERS) !== 0) await chmod(path, info.mode & ~OTHERS).catch(() => undefined);
    if (info.isDirectory()) await closeContents(path);
  }
}

/** True if the path is a folder, not a link, that belongs to this process's user and that others may not enter. */
export async function isPrivateFolder(path: string): Promise<boolean> {
  const info = await lstat(path);
  const own = process.getuid?.();
  return info.isDirectory() && info.uid === own && (info.mode & OTHERS) === 0;
}
