import type { StoredBytes } from '../lib/content-file.ts';
import type { Bucket } from '../ports/bucket.ts';

/** So much is asked for at once, since files are read from front to back in small pieces. */
const WINDOW_BYTES = 512 * 1024;

/** An object of a bucket as the bytes of a file that can only be read; undefined if there is none. */
export async function openRemote(
  bucket: Pick<Bucket, 'size' | 'read'>,
  key: string,
): Promise<StoredBytes | undefined> {
  const size = await bucket.size(key);
  return size === undefined ? undefined : new RemoteBytes(bucket, key, size);
}

class RemoteBytes implements StoredBytes {
  readonly #bucket: Pick<Bucket, 'read'>;
  readonly #key: string;
  readonly #size: number;
  #window: { readonly at: number; readonly bytes: Buffer } = { at: 0, bytes: Buffer.alloc(0) };

  constructor(bucket: Pick<Bucket, 'read'>, key: string, size: number) {
    this.#bucket = bucket;
    this.#key = key;
    this.#size = size;
  }

  async stat() {
    return { size: this.#size };
  }

  async read(buffer: Buffer, offset: number, length: number, position: number) {
    let bytesRead = 0;
    while (bytesRead < length && position + bytesRead < this.#size) {
      const { at, bytes } = await this.#windowAt(position + bytesRead);
      const from = position + bytesRead - at;
      const copied = bytes.copy(buffer, offset + bytesRead, from, from + length - bytesRead);
      if (copied === 0) break;
      bytesRead += copied;
    }
    return { buffer, bytesRead };
  }

  async #windowAt(position: number) {
    const { at, bytes } = this.#window;
    if (position < at || position >= at + bytes.length) {
      const last = Math.min(this.#size, position + WINDOW_BYTES) - 1;
      const read = await this.#bucket.read(this.#key, { first: position, last });
      this.#window = { at: position, bytes: read };
    }
    return this.#window;
  }

  write(): Promise<never> {
    return Promise.reject(readOnly());
  }

  truncate(): Promise<never> {
    return Promise.reject(readOnly());
  }

  sync(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const readOnly = () => new Error('a file in the storage can only be read');
