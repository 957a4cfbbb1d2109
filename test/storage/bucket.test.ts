import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PART_BYTES, progressPath } from '../../src/storage/resumable-upload.ts';
import { S3Bucket } from '../../src/storage/s3-bucket.ts';
import { S3_SERVERS, type S3Server, startS3Server } from '../support/s3-server.ts';

const { signal } = new AbortController();

describe.each(S3_SERVERS)('a bucket of %s', (name) => {
  let server: S3Server;
  let bucket: S3Bucket;
  let folder: string;
  let path: string;
  beforeAll(async () => {
    server = await startS3Server(name);
    bucket = new S3Bucket(server.access);
    folder = await mkdtemp(join(tmpdir(), 'parley-bucket-'));
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    path = join(folder, 'call.wav');
    await rm(progressPath(path), { force: true });
  });

  const readAll = (key: string) => buffer(bucket.open(key, { first: 0, last: 1e9 }));

  test('keeps a small file under a key with any characters, reads parts of it, and forgets it', async () => {
    const key = 'recordings/Ünder a folder/a+b & c=d.wav';
    await writeFile(path, 'Good morning.');
    await bucket.upload(key, path, signal);
    expect(await bucket.size(key)).toBe(13);
    expect(String(await bucket.read(key, { first: 5, last: 11 }))).toBe('morning');
    expect(String(await bucket.read(key, { first: 5, last: 500 }))).toBe('morning.');
    expect(await bucket.read(key, { first: 13, last: 20 })).toHaveLength(0);
    await bucket.remove(key);
    await bucket.remove(key);
    expect(await bucket.size(key)).toBeUndefined();
    await expect(bucket.read(key, { first: 0, last: 1 })).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('gives a signed address at which anybody can download, and only there', async () => {
    await writeFile(path, 'Good morning.');
    await bucket.upload('recordings/linked.wav', path, signal);
    const options = { seconds: 60, contentType: 'audio/wav', disposition: 'attachment' };
    const link = await bucket.link('recordings/linked.wav', options);
    const response = await fetch(link);
    expect(await response.text()).toBe('Good morning.');
    // Moto ignores what the address says of the answer.
    const headers = ['content-type', 'content-disposition'].map((it) => response.headers.get(it));
    if (name === 's3rver') expect(headers).toEqual(['audio/wav', 'attachment']);
    expect(link).toContain('X-Amz-Signature=');
  });

  test('uploads a growing file in parts, and at its end only what has changed since', async () => {
    const key = 'recordings/growing.wav';
    const content = randomBytes(3 * PART_BYTES + 300_000);
    await writeFile(path, content.subarray(0, 1.5 * PART_BYTES));
    await bucket.uploadAhead(key, path, signal);
    expect(await readdir(folder)).toEqual(['call.wav']);

    await appendFile(path, content.subarray(1.5 * PART_BYTES));
    await bucket.uploadAhead(key, path, signal);
    const ahead = await progress();
    expect(Object.keys(ahead.parts)).toEqual(['2', '3']);
    expect(await bucket.size(key)).toBeUndefined();

    // The header and the third part change at the end.
    content.write('RIFF', 0);
    content.write('muted', 2 * PART_BYTES + 10);
    await writeFile(path, content);
    // A new process goes on where the former one was.
    await new S3Bucket(server.access).upload(key, path, signal);
    expect((await readAll(key)).equals(content)).toBe(true);
    expect(await readdir(folder)).toEqual(['call.wav']);
  });

  test('an upload that the server has lost begins anew', async () => {
    const key = 'recordings/lost.wav';
    const content = randomBytes(2 * PART_BYTES + 300_000);
    await writeFile(path, content);
    await bucket.uploadAhead(key, path, signal);
    const lost = { ...(await progress()), uploadId: '0123456789abcdef0123456789abcdef' };
    await writeFile(progressPath(path), JSON.stringify(lost));
    await expect(bucket.upload(key, path, signal)).rejects.toThrow();
    await rm(progressPath(path), { force: true });
    await bucket.upload(key, path, signal);
    expect((await readAll(key)).equals(content)).toBe(true);
  });

  test('what was uploaded of a file that is removed is forgotten', async () => {
    await writeFile(path, randomBytes(2 * PART_BYTES + 300_000));
    await bucket.uploadAhead('recordings/gone.wav', path, signal);
    await bucket.abandonUpload(path);
    await bucket.abandonUpload(path);
    expect(await readdir(folder)).toEqual(['call.wav']);
    expect(await bucket.size('recordings/gone.wav')).toBeUndefined();
  });

  async function progress(): Promise<{ readonly parts: object; readonly uploadId: string }> {
    return JSON.parse(await readFile(progressPath(path), 'utf8'));
  }
});

test('the code with which a server refuses a request is told', async () => {
  const server = await startS3Server('s3rver');
  try {
    const bucket = new S3Bucket({ ...server.access, accessKeyId: 'unknown' });
    await expect(bucket.remove('recordings/a.wav')).rejects.toThrow(
      'the storage server answered a DELETE request with 403 InvalidAccessKeyId',
    );
  } finally {
    await server.close();
  }
});
