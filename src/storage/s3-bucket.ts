import { Readable } from 'node:stream';
import type { Bucket, BucketAccess } from '../ports/bucket.ts';
import type { ByteRange, LinkOptions } from '../ports/download.ts';
import { abandonUpload, uploadAhead, uploadWhole } from './resumable-upload.ts';
import { S3Client } from './s3-client.ts';

/** So much is asked for at once of an object that is streamed. */
const WINDOW_BYTES = 1024 * 1024;

/** A bucket of a server that speaks S3's protocol. */
export class S3Bucket implements Bucket {
  readonly #client: S3Client;

  constructor(access: BucketAccess) {
    this.#client = new S3Client(access);
  }

  size(key: string): Promise<number | undefined> {
    return this.#client.size(key);
  }

  read(key: string, { first, last }: ByteRange): Promise<Buffer> {
    return this.#client.read(key, first, last);
  }

  open(key: string, range: ByteRange): Readable {
    return Readable.from(this.#windows(key, range), { objectMode: false });
  }

  uploadAhead(key: string, path: string, signal: AbortSignal): Promise<void> {
    return uploadAhead({ client: this.#client, key, path, signal });
  }

  upload(key: string, path: string, signal: AbortSignal): Promise<void> {
    return uploadWhole({ client: this.#client, key, path, signal });
  }

  abandonUpload(path: string): Promise<void> {
    return abandonUpload(this.#client, path);
  }

  remove(key: string): Promise<void> {
    return this.#client.remove(key);
  }

  link(key: string, options: LinkOptions): Promise<string> {
    return this.#client.link(key, options);
  }

  async *#windows(key: string, { first, last }: ByteRange): AsyncGenerator<Buffer> {
    for (let at = first; at <= last; ) {
      const end = Math.min(last, at + WINDOW_BYTES - 1);
      const bytes = await this.#client.read(key, at, end);
      if (bytes.length === 0) return;
      yield bytes;
      at += bytes.length;
    }
  }
}
