import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BucketFileStorage } from '../../src/knowledge/bucket-file-storage.ts';
import { LocalFileStorage } from '../../src/knowledge/local-file-storage.ts';
import type { FileStorage } from '../../src/ports/file-storage.ts';
import { S3Bucket } from '../../src/storage/s3-bucket.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';

const { signal } = new AbortController();
const log = { warn: () => undefined };
const ALL = { first: 0, last: 1e9 };

let server: S3Server;
let folder: string;
beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-files-'));
});
afterEach(() => rm(folder, { recursive: true }));

const inBucket = async () =>
  new BucketFileStorage({
    ...{ local: await LocalFileStorage.open(folder), log },
    bucket: new S3Bucket(server.access),
  });
const receive = (storage: FileStorage, content: string) =>
  storage.receive(Readable.from([Buffer.from(content)]), { maxBytes: 100, signal });

describe.each([
  ['on disk', () => LocalFileStorage.open(folder)],
  ['in a bucket', inBucket],
] as const)('a file %s', (place, open: () => Promise<FileStorage>) => {
  test('can be read once it is kept, as a whole, in part and at a path', async () => {
    const storage = await open();
    const incoming = await receive(storage, 'Opening hours');
    expect(incoming.sizeBytes).toBe(13);
    expect(incoming.sha256).toBe(createHash('sha256').update('Opening hours').digest('hex'));
    await incoming.keep('kept');
    expect(await text(storage.open('kept', ALL))).toBe('Opening hours');
    expect(await text(storage.open('kept', { first: 8, last: 10 }))).toBe('hou');
    expect(await readFile(await storage.pathOf('kept'), 'utf8')).toBe('Opening hours');
    await storage.remove('kept');
    await storage.remove('kept');
    await expect(text(storage.open('kept', ALL))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('that is dropped, too large or under no id leaves nothing', async () => {
    const storage = await open();
    await (await receive(storage, 'dropped')).drop();
    await expect(receive(storage, 'x'.repeat(101))).rejects.toThrow('more than 100 bytes');
    await expect((await receive(storage, 'x')).keep('../x')).rejects.toThrow('not the id');
    await expect(storage.remove('../x')).rejects.toThrow('not the id');
    expect(await readdir(folder)).toEqual(['incoming']);
  });

  test('has a link only where another server keeps it', async () => {
    const storage = await open();
    await (await receive(storage, 'Opening hours')).keep('linked');
    const options = { seconds: 60, contentType: 'text/plain', disposition: 'attachment' };
    const link = await storage.link('linked', options);
    if (place === 'on disk') expect(link).toBeUndefined();
    else expect(await (await fetch(link as string)).text()).toBe('Opening hours');
    expect(place === 'on disk' || (await storage.link('missing', options))).toBe(
      place === 'on disk' ? true : undefined,
    );
  });
});

test('a file waits on disk while the bucket is away, and can be read there', async () => {
  const storage = await inBucket();
  const known = async (ids: readonly string[]) => new Set(ids.filter((id) => id === 'waiting'));
  await server.pause();
  try {
    await (await receive(storage, 'patience')).keep('waiting');
    await (await receive(storage, 'nobody’s')).keep('unknown');
    expect(await text(storage.open('waiting', ALL))).toBe('patience');
  } finally {
    await server.resume();
  }
  await storage.keepAll(known, { signal, now: Date.now() });
  // Whoever was just told its path may still read it.
  expect(await readdir(folder)).toContain('waiting');
  await utimes(join(folder, 'waiting'), 0, 0);
  await storage.keepAll(known, { signal, now: Date.now() });
  expect((await readdir(folder)).toSorted()).toEqual(['incoming', 'unknown']);
  expect(await text(storage.open('waiting', ALL))).toBe('patience');
});
