import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from './account.ts';
import { UnusableDataError } from './unusable-data-error.ts';

/** The limit of macOS, the lowest of all platforms. */
const MAX_SOCKET_PATH_BYTES = 103;
const SOCKET_NAME = '.s.PGSQL.5432';

/**
 * Creates a folder for the server's socket that only its user can enter: beside the data or, if that path is too long
 * or not accessible to the server, in the folder for temporary files.
 */
export async function makeSocketDirectory(
  dataDir: string,
  options: { readonly account: Account | undefined; readonly reachable: boolean },
): Promise<string> {
  const beside = join(dataDir, 'run');
  const fits = Buffer.byteLength(join(beside, SOCKET_NAME)) <= MAX_SOCKET_PATH_BYTES;
  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const directory =
    fits && options.reachable ? beside : join(tmpdir(), `parley-${process.getuid?.()}-${digest}`);
  const owner = options.account?.uid ?? process.getuid?.() ?? 0;
  await mkdir(directory, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const info = await lstat(directory);
  if (!info.isDirectory() || (info.uid !== owner && info.uid !== process.getuid?.())) {
    throw new UnusableDataError(
      `${directory} belongs to somebody else: remove it, or set another DATA_DIR`,
    );
  }
  await chmod(directory, 0o700);
  if (options.account) await chown(directory, options.account.uid, options.account.gid);
  return directory;
}
