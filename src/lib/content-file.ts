/** What a file is stored as: the handle of a file on disk, or of one that a server keeps. */
export interface StoredBytes {
  read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly buffer: Buffer; readonly bytesRead: number }>;
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesWritten: number }>;
  stat(): Promise<{ readonly size: number }>;
  truncate(size: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A file as its readers and writers see it, encrypted on disk or not. Operations must not overlap. */
export interface ContentFile {
  /** False while it has not the length with which its writer closes it, which a killed one never did. */
  readonly isFinished: boolean;
  /** Bytes of the content. */
  size(): Promise<number>;
  /** Reads up to `length` bytes from `position`; fewer at the end. */
  read(position: number, length: number): Promise<Buffer>;
  /** May write fewer bytes than given, as the operating system may. What lies between the end and `position` is zeros. */
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesWritten: number }>;
  truncate(size: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A file whose content is what is on disk. */
export class ClearFile implements ContentFile {
  readonly isFinished = true;
  readonly #file: StoredBytes;

  constructor(file: StoredBytes) {
    this.#file = file;
  }

  async size(): Promise<number> {
    return (await this.#file.stat()).size;
  }

  async read(position: number, length: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  }

  write(bytes: Uint8Array, offset: number, length: number, position: number) {
    return this.#file.write(bytes, offset, length, position);
  }

  truncate(size: number): Promise<void> {
    return this.#file.truncate(size);
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

const CHUNK_BYTES = 65_536;

/** The bytes from `first` to `last`, both included, in chunks; fewer at the end of the file. */
export async function* readContent(
  file: Pick<ContentFile, 'read'>,
  { first, last }: { readonly first: number; readonly last: number },
): AsyncGenerator<Buffer> {
  for (let at = first; at <= last; ) {
    const chunk = await file.read(at, Math.min(CHUNK_BYTES, last + 1 - at));
    if (chunk.length === 0) return;
    yield chunk;
    at += chunk.length;
  }
}

/** Writes all bytes. A disk that runs full writes a part of them and fails only at the next write. */
export async function writeWhole(
  file: Pick<ContentFile, 'write'>,
  bytes: Uint8Array,
  position: number,
  onWritten: (bytes: number) => void = () => undefined,
): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at);
    if (bytesWritten === 0) throw new Error('the disk accepted no bytes');
    onWritten(bytesWritten);
    at += bytesWritten;
  }
}
