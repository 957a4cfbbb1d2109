import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** Many times what the databases of a run take. */
const ROOM_BYTES = 2 * 1024 ** 3;
const OURS = /^parley-run-(\d+)-/;

/**
 * A folder for what a test run need not outlast: in memory where the machine has the room, since a database is hundreds
 * of files, and a run makes hundreds of databases.
 */
export async function memoryFolder(): Promise<string> {
  const parent = (await hasRoom()) ? IN_MEMORY : tmpdir();
  if (parent === IN_MEMORY) await removeThoseOfTheDead();
  return mkdtemp(join(parent, `parley-run-${process.pid}-`));
}

async function hasRoom(): Promise<boolean> {
  if (!existsSync(IN_MEMORY)) return false;
  const { bavail, bsize } = await statfs(IN_MEMORY);
  return bavail * bsize > ROOM_BYTES;
}

/** A run that was killed has left its folder, which would take memory until the machine is started again. */
async function removeThoseOfTheDead(): Promise<void> {
  for (const name of await readdir(IN_MEMORY)) {
    const pid = OURS.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      await rm(join(IN_MEMORY, name), { recursive: true, force: true });
  }
}
