import type { Readable } from 'node:stream';
import type { ByteRange, LinkOptions } from './download.ts';

/** Objects by key, kept by a server. All operations reject if it cannot be reached. */
export interface Bucket {
  /** Bytes of an object; undefined if there is none. */
  size(key: string): Promise<number | undefined>;
  /** A part of an object, both ends included; shorter at its end. Rejects with the code ENOENT if there is none. */
  read(key: string, range: ByteRange): Promise<Buffer>;
  /** The same as a stream. */
  open(key: string, range: ByteRange): Readable;
  /**
   * Uploads the parts of a growing file that its writer will not change any more, the first excepted, since its header
   * is written anew at the end.
   */
  uploadAhead(key: string, path: string, signal: AbortSignal): Promise<void>;
  /** Uploads a complete file, beginning with what {@link uploadAhead} or an earlier attempt has left to do. */
  upload(key: string, path: string, signal: AbortSignal): Promise<void>;
  /** Forgets what was uploaded of a file that is not to be completed. */
  abandonUpload(path: string): Promise<void>;
  /** An object that is gone is no error. */
  remove(key: string): Promise<void>;
  /** An address at which anybody may download the object for some time. */
  link(key: string, options: LinkOptions): Promise<string>;
}

/** A bucket and the key to it. */
export interface BucketAccess {
  readonly bucket: string;
  /** Before each key, without slashes at its ends; may be empty. */
  readonly prefix: string;
  readonly region: string;
  /** Of another server than Amazon's; its buckets are addressed by path. */
  readonly endpoint?: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}
