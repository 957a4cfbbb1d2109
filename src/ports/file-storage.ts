import type { Readable } from 'node:stream';

/** What came in, kept apart until it is taken or dropped. */
export interface IncomingFile {
  /** Where it can be read meanwhile. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Hex. */
  readonly sha256: string;
  /** Keeps it under an id. */
  keep(id: string): Promise<void>;
  /** Forgets it, unless it was kept. */
  drop(): Promise<void>;
}

/** Keeps the bytes of files. */
export interface FileStorage {
  /** Reads to the end, within bounds; nothing is left behind when that fails. Rejects with FileTooLargeError. */
  receive(
    source: Readable,
    bounds: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<IncomingFile>;
  /** Where a kept file can be read. */
  pathOf(id: string): string;
  /** Part of a kept file, both ends included. */
  open(id: string, range: { readonly first: number; readonly last: number }): Readable;
  remove(id: string): Promise<void>;
}
