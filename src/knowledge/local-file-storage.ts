import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { closeToOthers, makePrivateFolder, PRIVATE_FILE } from '../lib/private-files.ts';
import type { FileStorage, IncomingFile } from '../ports/file-storage.ts';

/** The stream had more bytes than allowed. */
export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError';
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`the file has more than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** A file without an owner is kept so long, since an upload under way may still claim it. */
const ORPHAN_AFTER_MS = 60 * 60 * 1000;
const SWEEP_SLICE = 500;
const ID = /^[\w-]+$/;

/** Stores files in a local folder by id; uploads are written beside them and renamed when complete. */
export class LocalFileStorage implements FileStorage {
  readonly #folder: string;
  readonly #incoming: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#incoming = join(folder, 'incoming');
  }

  /** Creates the folder if it is missing, and removes incomplete uploads. */
  static async open(folder: string): Promise<LocalFileStorage> {
    const storage = new LocalFileStorage(folder);
    await rm(storage.#incoming, { recursive: true, force: true });
    await closeToOthers(folder);
    await makePrivateFolder(storage.#incoming);
    return storage;
  }

  async receive(
    source: Readable,
    { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<IncomingFile> {
    const path = join(this.#incoming, randomUUID());
    const hash = createHash('sha256');
    let sizeBytes = 0;
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        sizeBytes += chunk.length;
        if (sizeBytes > maxBytes) return done(new FileTooLargeError(maxBytes));
        hash.update(chunk);
        done(null, chunk);
      },
    });
    try {
      await pipeline(
        source,
        measure,
        createWriteStream(path, { flags: 'wx', flush: true, mode: PRIVATE_FILE }),
        {
          signal,
        },
      );
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return {
      path,
      sizeBytes,
      sha256: hash.digest('hex'),
      keep: (id) => this.#keep(path, id),
      drop: () => rm(path, { force: true }),
    };
  }

  async pathOf(id: string): Promise<string> {
    return this.#pathOf(id);
  }

  open(id: string, { first, last }: { readonly first: number; readonly last: number }): Readable {
    return createReadStream(this.#pathOf(id), { start: first, end: last });
  }

  async remove(id: string): Promise<void> {
    await rm(this.#pathOf(id), { force: true });
  }

  async link(): Promise<undefined> {
    return undefined;
  }

  /** Removes files without a record, which interrupted uploads and removals leave behind. */
  async sweep(
    known: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
    nowMs: number,
  ): Promise<number> {
    const ids = await this.ids();
    let removed = 0;
    for (let at = 0; at < ids.length; at += SWEEP_SLICE) {
      const slice = ids.slice(at, at + SWEEP_SLICE);
      const kept = await known(slice);
      for (const id of slice.filter((name) => !kept.has(name))) {
        const path = join(this.#folder, id);
        if ((await stat(path)).mtimeMs > nowMs - ORPHAN_AFTER_MS) continue;
        await rm(path, { force: true });
        removed++;
      }
    }
    return removed;
  }

  /** The ids of the files that are here. */
  async ids(): Promise<readonly string[]> {
    const entries = await readdir(this.#folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && ID.test(entry.name)).map(({ name }) => name);
  }

  #pathOf(id: string): string {
    if (!ID.test(id)) throw new Error('not the id of a file');
    return join(this.#folder, id);
  }

  async #keep(path: string, id: string): Promise<void> {
    await rename(path, this.#pathOf(id));
    // A rename is durable only after an fsync of the folder.
    const folder = await open(this.#folder);
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}
