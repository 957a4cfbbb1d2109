import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { ClearFile, type ContentFile, type StoredBytes, writeWhole } from './content-file.ts';
import { PRIVATE_FILE } from './private-files.ts';
import { EXTRA_BYTES, SealedFileError, seal, unseal } from './sealed-bytes.ts';
import {
  bindsLength,
  type FileKey,
  HEADER_BYTES,
  isFinishedWith,
  isSealedHeader,
  KEY_BYTES,
  keyIdIn,
  LENGTH_AT,
  LENGTH_BYTES,
  lengthField,
  ownKeyIn,
  sealedHeader,
} from './sealed-file-header.ts';

/** Content of a block; a quarter of a second of a recording at 16 kHz. */
export const BLOCK_BYTES = 16_384;
const STRIDE_BYTES = BLOCK_BYTES + EXTRA_BYTES;
const MAX_WRITE_BYTES = 8 * BLOCK_BYTES;

/** The id of the key that a file is sealed with; undefined for a file in the clear. */
export async function sealingKeyOf(path: string): Promise<string | undefined> {
  return sealingKeyIn(await open(path));
}

/** The same of a file that is open; closes it. */
export async function sealingKeyIn(file: StoredBytes): Promise<string | undefined> {
  try {
    const header = await readHeader(file);
    return header && keyIdIn(header);
  } finally {
    await file.close();
  }
}

/** Creates an empty file, sealed with the key if there is one. */
export async function createContentFile(
  path: string,
  key: FileKey | undefined,
): Promise<ContentFile> {
  const file = await open(path, 'w+', PRIVATE_FILE);
  if (!key) return new ClearFile(file);
  try {
    const own = randomBytes(KEY_BYTES);
    await file.write(sealedHeader(key, own), 0, HEADER_BYTES, 0);
    return new SealedFile(file, own, { isFinished: false, isNew: true });
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Opens a file, sealed or in the clear. To be read (`r`), a sealed one must be as long as whoever closed it left it; one
 * that was never closed, because its process was killed, can only be opened to be mended (`r+`). Throws
 * {@link SealedFileError}.
 */
export async function openContentFile(
  path: string,
  flags: 'r' | 'r+',
  findKey: (id: string) => Promise<Buffer>,
): Promise<ContentFile> {
  return contentOf(await open(path, flags), flags, findKey);
}

/** The same of a file that is open; closes it if that fails. */
export async function contentOf(
  file: StoredBytes,
  flags: 'r' | 'r+',
  findKey: (id: string) => Promise<Buffer>,
): Promise<ContentFile> {
  try {
    const header = await readHeader(file);
    if (!header) return new ClearFile(file);
    const key = await findKey(keyIdIn(header));
    const own = ownKeyIn(header, key);
    if (!bindsLength(header)) return new SealedFile(file, own, { bindsLength: false });
    const isFinished = isFinishedWith(header, own, await contentBytes(file));
    if (!isFinished && flags === 'r')
      throw new SealedFileError('an encrypted file was cut short, or its process was killed');
    return new SealedFile(file, own, { isFinished });
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readHeader(file: StoredBytes): Promise<Buffer | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
  const header = buffer.subarray(0, bytesRead);
  return isSealedHeader(header) ? header : undefined;
}

/** Bytes of the content, those of a torn last block included. */
async function contentBytes(file: StoredBytes): Promise<number> {
  const stored = Math.max(0, (await file.stat()).size - HEADER_BYTES);
  const whole = Math.floor(stored / STRIDE_BYTES);
  return whole * BLOCK_BYTES + Math.max(0, (stored % STRIDE_BYTES) - EXTRA_BYTES);
}

/**
 * AES-256-GCM in blocks of {@link BLOCK_BYTES}, each with a random IV and bound to its place, under a key of the file's
 * own. A block that is written again is encrypted anew. A process that is killed while it writes the last block loses
 * that block alone. Its length is bound to the header when it is synced or closed.
 */
class SealedFile implements ContentFile {
  readonly #file: StoredBytes;
  readonly #key: Buffer;
  /** Bytes of the content, a torn last block included, once it was looked up. */
  #length: number | undefined;
  /** False of a file of the first version. */
  readonly #bindsLength: boolean;
  /** The header has the length. */
  #isFinished: boolean;
  #isChanged: boolean;
  /** The block that was written last, in the clear. */
  #latest: { readonly index: number; readonly content: Buffer } | undefined;

  constructor(
    file: StoredBytes,
    key: Buffer,
    {
      bindsLength = true,
      isFinished = true,
      isNew = false,
    }: {
      readonly bindsLength?: boolean;
      readonly isFinished?: boolean;
      readonly isNew?: boolean;
    },
  ) {
    this.#file = file;
    this.#key = key;
    this.#bindsLength = bindsLength;
    this.#isFinished = isFinished;
    this.#isChanged = isNew;
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  async size(): Promise<number> {
    const size = await this.#storedSize();
    const last = Math.floor(size / BLOCK_BYTES);
    // A block that was torn by the end of its process counts as not written.
    if (size % BLOCK_BYTES === 0 || (await this.#isWhole(last))) return size;
    return last * BLOCK_BYTES;
  }

  async read(position: number, length: number): Promise<Buffer> {
    const end = Math.min(position + length, await this.#storedSize());
    const parts: Buffer[] = [];
    for (let at = position; at < end; ) {
      const index = Math.floor(at / BLOCK_BYTES);
      const start = index * BLOCK_BYTES;
      const content = await this.#block(index);
      if (at - start >= content.length) break;
      parts.push(content.subarray(at - start, end - start));
      at = start + BLOCK_BYTES;
    }
    return Buffer.concat(parts);
  }

  async write(bytes: Uint8Array, offset: number, length: number, position: number) {
    await this.#change();
    for (let at = await this.#storedSize(); at < position; ) {
      const zeros = Buffer.alloc(Math.min(MAX_WRITE_BYTES, position - at));
      await this.#put(at, zeros);
      at += zeros.length;
    }
    const piece = bytes.subarray(offset, offset + Math.min(length, MAX_WRITE_BYTES));
    if (piece.length > 0) await this.#put(position, piece);
    return { bytesWritten: piece.length };
  }

  async truncate(size: number): Promise<void> {
    await this.#change();
    const stored = await this.#storedSize();
    if (size >= stored) return;
    const index = Math.floor(size / BLOCK_BYTES);
    const rest = size % BLOCK_BYTES;
    const content = rest > 0 ? (await this.#block(index)).subarray(0, rest) : Buffer.alloc(0);
    await this.#file.truncate(HEADER_BYTES + index * STRIDE_BYTES);
    this.#latest = undefined;
    this.#length = index * BLOCK_BYTES;
    if (rest > 0) await this.#putBlocks(index, Buffer.from(content), Buffer.alloc(0));
  }

  async sync(): Promise<void> {
    await this.#finish();
    await this.#file.sync();
  }

  async close(): Promise<void> {
    await this.#finish().finally(() => this.#file.close());
  }

  /** A length that does not hold any more must not outlive its process. */
  async #change(): Promise<void> {
    this.#isChanged = true;
    if (!this.#bindsLength || !this.#isFinished) return;
    await this.#file.write(Buffer.alloc(LENGTH_BYTES), 0, LENGTH_BYTES, LENGTH_AT);
    this.#isFinished = false;
  }

  async #finish(): Promise<void> {
    if (!this.#bindsLength || !this.#isChanged || this.#isFinished) return;
    const length = lengthField(this.#key, await this.#storedSize());
    await this.#file.write(length, 0, LENGTH_BYTES, LENGTH_AT);
    this.#isFinished = true;
  }

  async #storedSize(): Promise<number> {
    this.#length ??= await contentBytes(this.#file);
    return this.#length;
  }

  async #isWhole(index: number): Promise<boolean> {
    return this.#block(index).then(
      () => true,
      () => false,
    );
  }

  /** Writes bytes, with what stands before and behind them in their first and last block. */
  async #put(position: number, bytes: Uint8Array): Promise<void> {
    const first = Math.floor(position / BLOCK_BYTES);
    const start = first * BLOCK_BYTES;
    const end = position + bytes.length;
    const last = Math.floor((end - 1) / BLOCK_BYTES);
    const former = await this.#block(first);
    const before = former.subarray(0, position - start);
    const isWithin = end < (await this.#storedSize());
    const behind = isWithin
      ? (await this.#block(last)).subarray(end - last * BLOCK_BYTES)
      : Buffer.alloc(0);
    await this.#putBlocks(first, Buffer.concat([before, bytes, behind]), former);
  }

  /** On a disk that runs full the former content of the first block is put back, which needs no space. */
  async #putBlocks(first: number, content: Buffer, former: Buffer): Promise<void> {
    const position = HEADER_BYTES + first * STRIDE_BYTES;
    const size = await this.#storedSize();
    const blocks: Buffer[] = [];
    for (let at = 0; at < content.length; at += BLOCK_BYTES)
      blocks.push(
        seal(this.#key, content.subarray(at, at + BLOCK_BYTES), placeOf(first + blocks.length)),
      );
    try {
      await writeWhole(this.#file, Buffer.concat(blocks), position);
      const index = first + blocks.length - 1;
      this.#latest = { index, content: content.subarray((blocks.length - 1) * BLOCK_BYTES) };
      this.#length = Math.max(size, first * BLOCK_BYTES + content.length);
    } catch (error) {
      this.#latest = undefined;
      this.#length = undefined;
      const back = former.length > 0 ? seal(this.#key, former, placeOf(first)) : Buffer.alloc(0);
      await writeWhole(this.#file, back, position).catch(() => undefined);
      if (first === Math.floor(size / BLOCK_BYTES))
        await this.#file.truncate(position + back.length).catch(() => undefined);
      throw error;
    }
  }

  /** The content of a block; empty beyond the end. Throws {@link SealedFileError}. */
  async #block(index: number): Promise<Buffer> {
    if (this.#latest?.index === index) return this.#latest.content;
    const position = HEADER_BYTES + index * STRIDE_BYTES;
    const stored = Buffer.alloc(STRIDE_BYTES);
    const { bytesRead } = await this.#file.read(stored, 0, STRIDE_BYTES, position);
    if (bytesRead <= EXTRA_BYTES) return Buffer.alloc(0);
    return unseal(this.#key, stored.subarray(0, bytesRead), placeOf(index));
  }
}

function placeOf(index: number): Buffer {
  const place = Buffer.alloc(8);
  place.writeBigUInt64BE(BigInt(index));
  return place;
}
