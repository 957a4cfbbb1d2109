import { randomUUID } from 'node:crypto';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDiskFull } from '../lib/disk-errors.ts';
import { PRIVATE_FILE } from '../lib/private-files.ts';

/** Less free space than this counts as none. */
const MIN_FREE_BYTES = 1024 * 1024;
const TRIAL = Buffer.alloc(64 * 1024);

/** Tells whether the folder of recordings can be written to. */
export class StorageState {
  readonly #folder: string;
  #hasRefused = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Reports that a write to the folder has failed. */
  failed(error: unknown): void {
    if (isDiskFull(error)) this.#hasRefused = true;
  }

  /** Free bytes for this user, as the operating system reports them. */
  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize;
  }

  /** Once a write has failed, only a successful one clears the state: a quota does not show in the free bytes. */
  async isFull(): Promise<boolean> {
    try {
      if ((await this.freeBytes()) < MIN_FREE_BYTES) return true;
      if (this.#hasRefused) await this.#tryToWrite();
      this.#hasRefused = false;
      return false;
    } catch {
      return this.#hasRefused;
    }
  }

  async #tryToWrite(): Promise<void> {
    const path = join(this.#folder, `.trial-${randomUUID()}`);
    try {
      await writeFile(path, TRIAL, { mode: PRIVATE_FILE });
    } finally {
      await rm(path, { force: true });
    }
  }
}
