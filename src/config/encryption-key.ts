import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newToken } from '../lib/ids.ts';
import { Sealer } from '../lib/seal.ts';
import type { Config } from './config.ts';

export const ENCRYPTION_KEY_FILE = 'encryption.key';
const OWNER_ONLY = 0o600;

/** A sealer with the configured keys, or else with a key file that is created once, readable only by its owner. */
export async function openSealer(
  config: Pick<Config, 'encryptionKeys' | 'dataDir'>,
): Promise<Sealer> {
  if (config.encryptionKeys) return new Sealer(config.encryptionKeys);
  await mkdir(config.dataDir, { recursive: true });
  const path = join(config.dataDir, ENCRYPTION_KEY_FILE);
  try {
    await writeFile(path, `${newToken()}\n`, { flag: 'wx', mode: OWNER_ONLY, flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  // A copied or restored file may have come with wider permissions.
  await chmod(path, OWNER_ONLY);
  const key = (await readFile(path, 'utf8')).trim();
  if (key === '')
    throw new Error(`${path} is empty: put the key back, or remove it to make another`);
  return new Sealer([key]);
}
