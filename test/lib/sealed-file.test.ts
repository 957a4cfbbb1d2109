import { createCipheriv, randomBytes } from 'node:crypto';
import { mkdtemp, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readContent, writeWhole } from '../../src/lib/content-file.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { SealedFileError } from '../../src/lib/sealed-bytes.ts';
import {
  BLOCK_BYTES,
  createContentFile,
  openContentFile,
  sealingKeyOf,
} from '../../src/lib/sealed-file.ts';
import { collect } from '../support/collect.ts';
import { runs, testSeed } from '../support/effort.ts';
import fc from '../support/properties.ts';

const key = { id: uuidv7(), bytes: randomBytes(32) };
const STORED_BLOCK = BLOCK_BYTES + 28;
const HEADER = 128;

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-sealed-'));
  path = join(folder, 'sealed');
});
afterEach(() => rm(folder, { recursive: true }));

const findKey = async () => key.bytes;
const openIt = (flags: 'r' | 'r+' = 'r') => openContentFile(path, flags, findKey);
async function contentOf(file: { read(at: number, length: number): Promise<Buffer> }) {
  return file.read(0, 10 * BLOCK_BYTES);
}
/** What a process leaves that is killed after it has written this content. */
async function killed(content: Buffer): Promise<void> {
  const file = await createContentFile(path, key);
  await writeWhole(file, content, 0);
  const left = await readFile(path);
  await file.close();
  await writeFile(path, left);
}
/** A sealed file with this content. */
async function sealed(content: Buffer): Promise<void> {
  const file = await createContentFile(path, key);
  await writeWhole(file, content, 0);
  await file.close();
}

test('is what a file in the clear is, whatever is written, cut and read', async () => {
  const place = fc.integer({ min: 0, max: 3 * BLOCK_BYTES });
  const step = fc.oneof(
    fc.record({ write: place, bytes: fc.uint8Array({ maxLength: 300 }) }),
    fc.record({ write: place, length: fc.integer({ min: 1, max: 2 * BLOCK_BYTES }) }),
    fc.record({ truncate: place }),
    fc.record({ read: place, length: place }),
    fc.record({ reopen: fc.constant(true) }),
  );
  const run = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
    let file = await createContentFile(path, key);
    const clear = await createContentFile(join(folder, 'clear'), undefined);
    for (const one of steps) {
      if ('write' in one) {
        const bytes = 'bytes' in one ? one.bytes : randomBytes(one.length);
        for (const each of [file, clear]) await writeWhole(each, bytes, one.write);
      } else if ('truncate' in one) {
        const size = Math.min(one.truncate, await clear.size());
        for (const each of [file, clear]) await each.truncate(size);
      } else if ('read' in one) {
        const [a, b] = [file, clear].map((each) => each.read(one.read, one.length));
        expect((await a)?.equals((await b) as Buffer)).toBe(true);
      } else {
        await file.close();
        file = await openIt('r+');
      }
      expect(await file.size()).toBe(await clear.size());
    }
    expect((await contentOf(file)).equals(await contentOf(clear))).toBe(true);
    await file.close();
    await clear.close();
  });
  await fc.assert(run, { numRuns: runs({ usual: 40, long: 1000 }), seed: testSeed(7) });
});

test('holds nothing of its content, and twice the same content is not the same file', async () => {
  await sealed(Buffer.from('marzipan '.repeat(9000)));
  const first = await readFile(path);
  expect(first.includes('marzipan')).toBe(false);
  await sealed(Buffer.from('marzipan '.repeat(9000)));
  expect((await readFile(path)).subarray(HEADER).equals(first.subarray(HEADER))).toBe(false);
  expect(await sealingKeyOf(path)).toBe(key.id);
});

test('a range is read without the rest of the file', async () => {
  const content = randomBytes(5 * BLOCK_BYTES + 77);
  await sealed(content);
  // Destroys all other blocks.
  const raw = await readFile(path);
  raw.fill(0, HEADER, HEADER + STORED_BLOCK);
  raw.fill(0, HEADER + 3 * STORED_BLOCK);
  await writeFile(path, raw);
  const file = await openIt();
  const [first, last] = [BLOCK_BYTES + 5, 3 * BLOCK_BYTES - 2];
  const chunks = await collect(readContent(file, { first, last }));
  expect(Buffer.concat(chunks).equals(content.subarray(first, last + 1))).toBe(true);
  await file.close();
});

test.each([1, 20, 29, 5000])(
  'a last block of which %i bytes were written is lost alone',
  async (kept) => {
    const content = randomBytes(2 * BLOCK_BYTES + 9000);
    await killed(content);
    const handle = await open(path, 'r+');
    await handle.truncate(HEADER + 2 * STORED_BLOCK + kept);
    await handle.close();
    const file = await openIt('r+');
    expect(await file.size()).toBe(2 * BLOCK_BYTES);
    await file.truncate(await file.size());
    expect((await contentOf(file)).equals(content.subarray(0, 2 * BLOCK_BYTES))).toBe(true);
    await writeWhole(file, content.subarray(2 * BLOCK_BYTES), 2 * BLOCK_BYTES);
    expect((await contentOf(file)).equals(content)).toBe(true);
    await file.close();
  },
);

test('changed, exchanged or copied blocks and other keys are noticed', async () => {
  await sealed(randomBytes(2 * BLOCK_BYTES));
  const raw = await readFile(path);
  const refuse = async (change: (bytes: Buffer) => void, find = findKey) => {
    const bytes = Buffer.from(raw);
    change(bytes);
    await writeFile(path, bytes);
    const read = async () => {
      const file = await openContentFile(path, 'r', find);
      await contentOf(file).finally(() => file.close());
    };
    await expect(read()).rejects.toThrow(SealedFileError);
  };
  await refuse((bytes) => {
    bytes[HEADER + 500] = (bytes[HEADER + 500] as number) ^ 1;
  });
  await refuse((bytes) => {
    raw.copy(bytes, HEADER, HEADER + STORED_BLOCK);
    raw.copy(bytes, HEADER + STORED_BLOCK, HEADER, HEADER + STORED_BLOCK);
  });
  await refuse((bytes) => bytes.fill('x', 10, 12));
  await refuse(
    () => undefined,
    async () => randomBytes(32),
  );
});

test.each([
  ['cut between two blocks', HEADER + 2 * STORED_BLOCK],
  ['cut within a block', HEADER + 2 * STORED_BLOCK + 500],
  ['cut to nothing', HEADER],
])('a file that was %s is refused', async (_, length) => {
  await sealed(randomBytes(3 * BLOCK_BYTES));
  await truncate(path, length);
  for (const flags of ['r', 'r+'] as const)
    await expect(openIt(flags)).rejects.toThrow('cut short or extended');
});

test('a file that is given blocks of another state of it is refused, and so is a length without its key', async () => {
  await sealed(randomBytes(3 * BLOCK_BYTES));
  const raw = await readFile(path);
  await writeFile(path, Buffer.concat([raw, raw.subarray(HEADER, HEADER + STORED_BLOCK)]));
  await expect(openIt()).rejects.toThrow('cut short or extended');
  const shorter = Buffer.from(raw.subarray(0, HEADER + 2 * STORED_BLOCK));
  shorter.writeBigUInt64BE(BigInt(2 * BLOCK_BYTES), HEADER - 24);
  await writeFile(path, shorter);
  await expect(openIt()).rejects.toThrow('cut short or extended');
});

test('what nobody has closed can be mended, and be read only then', async () => {
  const content = randomBytes(2 * BLOCK_BYTES);
  await killed(content);
  await expect(openIt()).rejects.toThrow('its process was killed');
  // Looking at it does not finish it.
  await (await openIt('r+')).close();
  await expect(openIt()).rejects.toThrow('its process was killed');
  const file = await openIt('r+');
  expect(file.isFinished).toBe(false);
  await file.truncate(await file.size());
  await file.close();
  const mended = await openIt();
  expect((await contentOf(mended)).equals(content)).toBe(true);
  await mended.close();
  // A finished file is unfinished again while it is written.
  const changed = await openIt('r+');
  await writeWhole(changed, Buffer.from('more'), content.length);
  await expect(openIt()).rejects.toThrow('its process was killed');
  await changed.sync();
  await (await openIt()).close();
  await changed.close();
});

test('a file of the first version, which does not say how long it is, is read on', async () => {
  const content = randomBytes(BLOCK_BYTES + 77);
  await writeFile(path, firstVersion(content));
  const file = await openIt();
  expect(file.isFinished).toBe(true);
  expect((await contentOf(file)).equals(content)).toBe(true);
  await file.close();
  // Nobody makes the second version one of the first.
  await sealed(content);
  const raw = await readFile(path);
  raw[7] = 1;
  await writeFile(path, raw);
  await expect(openIt()).rejects.toThrow(SealedFileError);
});

/** A file as the first version of the service wrote it. */
function firstVersion(content: Buffer): Buffer {
  const own = randomBytes(32);
  const seal = (under: Buffer, plain: Buffer, about: Buffer) => {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', under, iv).setAAD(about);
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]);
  };
  const start = Buffer.from(`PARLEY\0\x01${key.id}`, 'latin1');
  const header = Buffer.concat([start, seal(key.bytes, own, start)], HEADER);
  const blocks = [0, 1].map((n) => {
    const place = Buffer.alloc(8);
    place.writeBigUInt64BE(BigInt(n));
    return seal(own, content.subarray(n * BLOCK_BYTES, (n + 1) * BLOCK_BYTES), place);
  });
  return Buffer.concat([header, ...blocks]);
}

test('a file in the clear is read as it is', async () => {
  await writeFile(path, 'RIFF');
  expect(await sealingKeyOf(path)).toBeUndefined();
  const file = await openIt();
  expect((await contentOf(file)).toString()).toBe('RIFF');
  await file.close();
  expect((await stat(path)).size).toBe(4);
});
