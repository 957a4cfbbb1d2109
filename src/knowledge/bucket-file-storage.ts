import { randomUUID } from 'node:crypto';

import { createWriteStream } from 'node:fs';
import { rename, rm, stat, utimes } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isMissing } from '../lib/disk-errors.ts';
import { PRIVATE_FILE } from '../lib/private-files.ts';
import type { Bucket } from '../ports/bucket.ts';
import type { ByteRange, LinkOptions } from '../ports/download.ts';
import type { FileStorage, IncomingFile } from '../ports/file-storage.ts';
import type { Log } from '../ports/log.ts';
import type { LocalFileStorage } from './local-file-storage.ts';

interface Deps {
  /** Receives files, and holds those that are on their way. */
  readonly local: LocalFileStorage;
  readonly bucket: Bucket;
  readonly log: Pick<Log, 'warn'>;
}

/** A file that was brought back to be read stays so long. */
const BORROWED_MS = 10 * 60_000;
const SLICE = 100;
const KEEP_MS = 10 * 60_000;

/** Stores files in a bucket by id. While that cannot be reached they wait on disk. */
export class BucketFileStorage implements FileStorage {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async receive(
    source: Readable,
    bounds: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<IncomingFile> {
    const incoming = await this.#deps.local.receive(source, bounds);
    return {
      ...incoming,
      keep: async (id) => {
        await incoming.keep(id);
        // An upload to this service does not fail because another server is away.
        await this.#keep(id, AbortSignal.timeout(KEEP_MS)).catch((error) =>
          this.#deps.log.warn({ err: error }, 'a file waits for the storage'),
        );
      },
    };
  }

  async pathOf(id: string): Promise<string> {
    const path = await this.#deps.local.pathOf(id);
    const size = await sizeOf(path);
    // Its time on this disk begins anew.
    if (size !== undefined) await utimes(path, new Date(), new Date());
    else await this.#bringBack(id, path);
    return path;
  }

  open(id: string, range: ByteRange): Readable {
    return Readable.from(this.#read(id, range), { objectMode: false });
  }

  async remove(id: string): Promise<void> {
    const { local, bucket } = this.#deps;
    await local.remove(id);
    await bucket.abandonUpload(await local.pathOf(id));
    await bucket.remove(keyOf(id));
  }

  async link(id: string, options: LinkOptions): Promise<string | undefined> {
    const { bucket } = this.#deps;
    return (await bucket.size(keyOf(id))) === undefined
      ? undefined
      : bucket.link(keyOf(id), options);
  }

  /** Brings the files that are on this disk and have a record to the bucket. */
  async keepAll(
    known: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
    { signal, now }: { readonly signal: AbortSignal; readonly now: number },
  ): Promise<void> {
    const { local, log } = this.#deps;
    const ids = await local.ids();
    for (let at = 0; at < ids.length; at += SLICE) {
      for (const id of await known(ids.slice(at, at + SLICE))) {
        signal.throwIfAborted();
        const { mtimeMs } = await stat(await local.pathOf(id)).catch(() => ({ mtimeMs: now }));
        if (mtimeMs > now - BORROWED_MS) continue;
        await this.#keep(id, signal).catch((error) =>
          log.warn({ err: error }, 'a file waits for the storage'),
        );
      }
    }
  }

  async #keep(id: string, signal: AbortSignal): Promise<void> {
    const { local, bucket } = this.#deps;
    const path = await local.pathOf(id);
    // A file never changes: what was brought back is still there.
    if ((await bucket.size(keyOf(id))) !== (await sizeOf(path)))
      await bucket.upload(keyOf(id), path, signal);
    await local.remove(id);
  }

  async #bringBack(id: string, path: string): Promise<void> {
    const { bucket } = this.#deps;
    const size = await bucket.size(keyOf(id));
    if (size === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    const arriving = `${path}.${randomUUID()}`;
    try {
      const source = bucket.open(keyOf(id), { first: 0, last: size - 1 });
      await pipeline(source, createWriteStream(arriving, { flags: 'wx', mode: PRIVATE_FILE }));
      await rename(arriving, path);
    } finally {
      await rm(arriving, { force: true });
    }
  }

  async *#read(id: string, range: ByteRange): AsyncGenerator<Buffer> {
    const { local, bucket } = this.#deps;
    const isHere = (await sizeOf(await local.pathOf(id))) !== undefined;
    yield* isHere ? local.open(id, range) : bucket.open(keyOf(id), range);
  }
}

const keyOf = (id: string): string => `files/${id}`;

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
