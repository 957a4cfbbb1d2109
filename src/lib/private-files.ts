import { chmod, lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Modes of what only the service's own user may read. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

const OTHERS = 0o077;
const SHARED = 0o1000;

/** Makes a folder, and those above it that are missing, for its owner alone. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER }).catch((error: unknown) => {
    // What Node says of a read-only file system then hides the cause.
    const isHidden = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isHidden ? mkdir(path, { mode: PRIVATE_FOLDER }) : Promise.reject(error);
  });
}

/**
 * Makes a folder where it is missing, and closes it and all that is in it to other users, whatever it was made or
 * restored with. Links are not followed. False where the folder itself stays as it is, because it belongs to another
 * user or is one that all users share.
 */
export async function closeToOthers(folder: string): Promise<boolean> {
  await makePrivateFolder(folder);
  // Windows has no modes.
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
    // What another user put there stays theirs.
    if ((info.mode & OTHERS) !== 0) await chmod(path, info.mode & ~OTHERS).catch(() => undefined);
    if (info.isDirectory()) await closeContents(path);
  }
}

/** Whether a path is a folder of this process's user that nobody else may enter; it is no link to one either. */
export async function isPrivateFolder(path: string): Promise<boolean> {
  const info = await lstat(path);
  const own = process.getuid?.();
  return info.isDirectory() && info.uid === own && (info.mode & OTHERS) === 0;
}
