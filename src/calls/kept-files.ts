import { rm } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import type { StoredBytes } from '../lib/content-file.ts';
import { isMissing } from '../lib/disk-errors.ts';
import type { Bucket } from '../ports/bucket.ts';
import type { LinkOptions } from '../ports/download.ts';
import { openRemote } from '../storage/remote-bytes.ts';

/** Where the complete files of calls are kept. Paths are those that they have, or had, on this disk. */
export interface KeptFiles {
  /** A file that is not on the disk; undefined if there is none. */
  open(path: string): Promise<StoredBytes | undefined>;
  /** Brings a file from the disk there, and then removes it from the disk. One that is gone is no error. */
  keep(path: string, signal: AbortSignal): Promise<void>;
  /** Removes a file there and on the disk. */
  remove(path: string): Promise<void>;
  /** An address at which anybody may download a file for some time. */
  link(path: string, options: LinkOptions): Promise<string | undefined>;
}

/** Files stay where they are written. */
export const keptOnDisk: KeptFiles = {
  open: async () => undefined,
  keep: async () => undefined,
  remove: (path) => rm(path, { force: true }),
  link: async () => undefined,
};

/** The key of a file in a bucket: its path in the folder of recordings. */
export function keyOfCallFile(folder: string, path: string): string {
  return `recordings/${relative(folder, path).split(sep).join('/')}`;
}

/** Files of a folder are kept in a bucket. */
export function keptInBucket(bucket: Bucket, folder: string): KeptFiles {
  const keyOf = (path: string) => keyOfCallFile(folder, path);
  const keeping = new Map<string, Promise<void>>();

  async function keep(path: string, signal: AbortSignal): Promise<void> {
    try {
      await bucket.upload(keyOf(path), path, signal);
    } catch (error) {
      if (!isMissing(error)) throw error;
      return;
    }
    await rm(path, { force: true });
  }

  return {
    open: (path) => openRemote(bucket, keyOf(path)),
    keep(path, signal) {
      const kept = keeping.get(path) ?? keep(path, signal).finally(() => keeping.delete(path));
      keeping.set(path, kept);
      return kept;
    },
    async remove(path) {
      // First the file, so that nobody brings it there after this.
      await rm(path, { force: true });
      await keeping.get(path)?.catch(() => undefined);
      await bucket.abandonUpload(path);
      await bucket.remove(keyOf(path));
    },
    link: (path, options) => bucket.link(keyOf(path), options),
  };
}
