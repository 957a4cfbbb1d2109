import type { Readable } from 'node:stream';
import type { LinkOptions } from './download.ts';

/** A received file, kept apart until it is kept or dropped. */
export interface IncomingFile {
  /** Where the file can be read until then. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Hex. */
  readonly sha256: string;
  /** Stores the file under an id. */
  keep(id: string): Promise<void>;
  /** Deletes the file, unless it was kept. */
  drop(): Promise<void>;
}

/** Stores the bytes of files. */
export interface FileStorage {
  /**
   * Reads the source to its end, up to the size limit; a failure leaves nothing behind. Rejects with
   * FileTooLargeError.
   */
  receive(
    source: Readable,
    bounds: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<IncomingFile>;
  /** The path at which a stored file can be read; brings it to the disk where it is kept elsewhere. */
  pathOf(id: string): Promise<string>;
  /** Part of a stored file, both ends included. */
  open(id: string, range: { readonly first: number; readonly last: number }): Readable;
  remove(id: string): Promise<void>;
  /** An address at which anybody may download the file for some time; undefined if there can be none. */
  link(id: string, options: LinkOptions): Promise<string | undefined>;
}
