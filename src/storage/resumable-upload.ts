import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { PRIVATE_FILE } from '../lib/private-files.ts';
import { md5, type S3Client, S3Error } from './s3-client.ts';

/** The least that a server accepts for a part that is not the last. */
export const PART_BYTES = 5 * 1024 * 1024;
/** The last block of an encrypted file is written anew as it grows. */
const UNSETTLED_BYTES = 256 * 1024;

/** What was uploaded of a file so far, kept beside it. */
interface Progress {
  readonly key: string;
  readonly uploadId: string;
  /** By number, the first being 1. */
  readonly parts: Readonly<Record<number, { readonly etag: string; readonly md5: string }>>;
}

interface Upload {
  readonly client: S3Client;
  readonly key: string;
  readonly path: string;
  readonly signal: AbortSignal;
}

/** The file beside an uploaded one that says how far it is. */
export const progressPath = (path: string): string => `${path}.upload`;

/** Uploads the whole parts of a growing file from the second on. */
export async function uploadAhead(upload: Upload): Promise<void> {
  const file = await open(upload.path);
  try {
    const { size } = await file.stat();
    const whole = Math.floor((size - UNSETTLED_BYTES) / PART_BYTES);
    if (whole < 2) return;
    let progress = await progressOf(upload);
    for (let number = 2; number <= whole; number++)
      if (!progress.parts[number]) progress = await sendPart(upload, file, { progress, number });
  } catch (error) {
    await forgetLost(upload, error);
    throw error;
  } finally {
    await file.close();
  }
}

/** Uploads a complete file. Parts that were uploaded before and have changed since are uploaded again. */
export async function uploadWhole(upload: Upload): Promise<void> {
  const { client, key, path, signal } = upload;
  const file = await open(path);
  try {
    const { size, mtimeMs } = await file.stat();
    const begun = await readProgress(upload);
    if (!begun && size <= PART_BYTES) await client.put(key, await readPart(file, 1), signal);
    else {
      let progress = begun ?? (await progressOf(upload));
      const last = Math.max(1, Math.ceil(size / PART_BYTES));
      for (let number = 1; number <= last; number++)
        progress = await sendPart(upload, file, { progress, number });
      const parts = Array.from({ length: last }, (_, at) => ({
        number: at + 1,
        etag: progress.parts[at + 1]?.etag ?? '',
      }));
      await client.completeUpload(key, { uploadId: progress.uploadId, parts }, signal);
    }
    const after = await file.stat();
    if (after.size !== size || after.mtimeMs !== mtimeMs)
      throw new Error('a file was changed while it was uploaded');
    const stored = await client.size(key, signal);
    if (stored !== size) throw new Error('the storage has another size of a file than was sent');
    await rm(progressPath(path), { force: true });
  } catch (error) {
    await forgetLost(upload, error);
    throw error;
  } finally {
    await file.close();
  }
}

/** Removes what was uploaded of a file that is not to be completed. */
export async function abandonUpload(client: S3Client, path: string): Promise<void> {
  const progress = await readJson(path);
  if (progress) await client.abortUpload(progress.key, progress.uploadId);
  await rm(progressPath(path), { force: true });
}

/** Uploads a part unless the server has the same content of it. */
async function sendPart(
  { client, key, path, signal }: Upload,
  file: FileHandle,
  { progress, number }: { readonly progress: Progress; readonly number: number },
): Promise<Progress> {
  const body = await readPart(file, number);
  const digest = md5(body).toString('hex');
  if (progress.parts[number]?.md5 === digest) return progress;
  const { uploadId } = progress;
  const etag = await client.putPart(key, { uploadId, number, body }, signal);
  const parts = { ...progress.parts, [number]: { etag, md5: digest } };
  return writeProgress(path, { ...progress, parts });
}

/** Part of a file, the first being 1. */
export async function readPart(file: FileHandle, number: number): Promise<Buffer> {
  const bytes = Buffer.alloc(PART_BYTES);
  let length = 0;
  while (length < PART_BYTES) {
    const at = (number - 1) * PART_BYTES + length;
    const { bytesRead } = await file.read(bytes, length, PART_BYTES - length, at);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

async function progressOf(upload: Upload): Promise<Progress> {
  const { client, key, path, signal } = upload;
  const begun = await readProgress(upload);
  if (begun) return begun;
  const uploadId = await client.beginUpload(key, signal);
  return writeProgress(path, { key, uploadId, parts: {} });
}

async function readProgress({ path, key }: Upload): Promise<Progress | undefined> {
  const progress = await readJson(path);
  return progress?.key === key ? progress : undefined;
}

async function readJson(path: string): Promise<Progress | undefined> {
  try {
    return JSON.parse(await readFile(progressPath(path), 'utf8')) as Progress;
  } catch (error) {
    // What a killed process has half written says nothing: the upload begins anew.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
}

async function writeProgress(path: string, progress: Progress): Promise<Progress> {
  const file = progressPath(path);
  await writeFile(`${file}.new`, JSON.stringify(progress), { mode: PRIVATE_FILE });
  await rename(`${file}.new`, file);
  return progress;
}

/** A server may have ended an upload, or lost a part of it: the next attempt begins anew. */
async function forgetLost({ path }: Upload, error: unknown): Promise<void> {
  const isLost = error instanceof S3Error && ['NoSuchUpload', 'InvalidPart'].includes(error.code);
  if (isLost) await rm(progressPath(path), { force: true });
}
