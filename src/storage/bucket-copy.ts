import { createHash, randomInt, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isMissing } from '../lib/disk-errors.ts';
import { makePrivateFolder, PRIVATE_FILE } from '../lib/private-files.ts';
import type { BucketAccess } from '../ports/bucket.ts';
import { PART_BYTES, readPart } from './resumable-upload.ts';
import { CHANGED, type ListedObject, md5, S3Client, S3Error } from './s3-client.ts';

const AT_ONCE = 4;
const WINDOW_BYTES = 1024 * 1024;

/** Beginnings of the keys of a service's objects. */
const KINDS = ['recordings/', 'files/'];

/**
 * Makes a folder the copy of a service's objects, each under its key. An object that the folder has already, of the same
 * size and time, is not fetched again, so that a copy that broke off goes on. Returns how many there are.
 */
export async function copyFromBucket(
  access: BucketAccess,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<number> {
  const client = new S3Client(access);
  // What this run has seen is told from what an earlier one has left by a time of access that means nothing.
  const mark = randomInt(1_000_000_000);
  let copied = 0;
  for (const kind of KINDS) {
    await forEach(client.list(kind, signal), signal, async (object, abort) => {
      // Not of a service, which makes no such names.
      if (!isPath(object.key)) return;
      const path = join(folder, ...object.key.split('/'));
      const has = (await isThere(path, object))
        ? object
        : await fetchObject(client, object, path, abort);
      if (!has) return;
      await utimes(path, mark, has.modifiedAt);
      copied++;
    });
    for await (const path of filesIn(join(folder, kind)))
      if ((await stat(path)).atimeMs !== mark * 1000) await rm(path);
  }
  return copied;
}

/**
 * Copies what {@link copyFromBucket} has written to a bucket. What that has already with the same content is not sent
 * again. Returns how many objects there are.
 */
export async function copyToBucket(
  access: BucketAccess,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<number> {
  const client = new S3Client(access);
  let copied = 0;
  for (const kind of KINDS) {
    const files = filesIn(join(folder, kind));
    await forEach(files, signal, async (path, abort) => {
      const key = relative(folder, path).split(sep).join('/');
      const file = await open(path);
      try {
        await sendObject(client, key, file, abort);
      } finally {
        await file.close();
      }
      copied++;
    });
  }
  return copied;
}

/** Does the same with all items, several at a time; the first failure ends it. */
async function forEach<Item>(
  items: AsyncGenerator<Item>,
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const abort = AbortSignal.any([signal, failed.signal]);
  const take = async () => {
    try {
      for (let next = await items.next(); !next.done; next = await items.next()) {
        abort.throwIfAborted();
        await work(next.value, abort);
      }
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: AT_ONCE }, take));
  await items.return(undefined);
  if (failed.signal.aborted) throw failed.signal.reason;
  const rejected = workers.find(({ status }) => status === 'rejected');
  if (rejected?.status === 'rejected') throw rejected.reason;
}

const isPath = (key: string): boolean =>
  key.split('/').every((part) => !['', '.', '..'].includes(part) && !/[\\\0]/.test(part));

async function isThere(path: string, { size, modifiedAt }: ListedObject): Promise<boolean> {
  try {
    const file = await stat(path);
    return file.size === size && Math.abs(file.mtimeMs - modifiedAt.getTime()) < 1;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/**
 * What was fetched; undefined if the object is gone by now. One that was encrypted anew meanwhile is fetched from its
 * beginning again.
 */
async function fetchObject(
  client: S3Client,
  object: ListedObject,
  path: string,
  signal: AbortSignal,
): Promise<ListedObject | undefined> {
  const { key, size } = object;
  await makePrivateFolder(dirname(path));
  const arriving = `${path}.${randomUUID()}`;
  try {
    const source = Readable.from(windows(client, object, signal), {
      objectMode: false,
    });
    const target = createWriteStream(arriving, { flags: 'wx', mode: PRIVATE_FILE });
    await pipeline(source, target, { signal });
    if ((await stat(arriving)).size !== size)
      throw new Error('the storage has sent another size of a file than it lists');
    await rename(arriving, path);
    return object;
  } catch (error) {
    if (error instanceof S3Error && error.code === 'ENOENT') return undefined;
    if (!(error instanceof S3Error && error.status === CHANGED)) throw error;
    for await (const now of client.list(key, signal))
      if (now.key === key) return fetchObject(client, now, path, signal);
    return undefined;
  } finally {
    await rm(arriving, { force: true });
  }
}

async function* windows(
  client: S3Client,
  { key, size, etag }: ListedObject,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const bytes = await client.read(key, at, Math.min(size, at + WINDOW_BYTES) - 1, {
      etag,
      signal,
    });
    if (bytes.length === 0) return;
    yield bytes;
    at += bytes.length;
  }
}

/** All files below a folder, one after another. */
async function* filesIn(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (entry.isFile()) yield path;
  }
}

async function sendObject(
  client: S3Client,
  key: string,
  file: FileHandle,
  signal: AbortSignal,
): Promise<void> {
  const { size } = await file.stat();
  const last = Math.max(1, Math.ceil(size / PART_BYTES));
  const tag = await client.tag(key, signal);
  if (tag !== undefined && (await tagsOf(file, last, signal)).includes(tag)) return;
  if (last === 1) return client.put(key, await readPart(file, 1), signal);
  const uploadId = await client.beginUpload(key, signal);
  try {
    const parts: { number: number; etag: string }[] = [];
    for (let number = 1; number <= last; number++) {
      const body = await readPart(file, number);
      parts.push({ number, etag: await client.putPart(key, { uploadId, number, body }, signal) });
    }
    await client.completeUpload(key, { uploadId, parts }, signal);
  } catch (error) {
    await client.abortUpload(key, uploadId).catch(() => undefined);
    throw error;
  }
}

/** The tags that servers give to this content, sent whole or in parts of this size. Those that encrypt give another. */
async function tagsOf(
  file: FileHandle,
  parts: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const whole = createHash('md5');
  const digests: Buffer[] = [];
  for (let number = 1; number <= parts; number++) {
    signal.throwIfAborted();
    const part = await readPart(file, number);
    whole.update(part);
    digests.push(md5(part));
  }
  const ofParts = createHash('md5').update(Buffer.concat(digests)).digest('hex');
  return [`"${whole.digest('hex')}"`, `"${ofParts}-${parts}"`];
}
