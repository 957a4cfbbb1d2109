import type { Readable } from 'node:stream';

/** Bytes of a file, both ends included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Reads recordings. */
export interface RecordingReader {
  /** Undefined when there is no such file. The caller needs the size to choose a range. */
  size(path: string): Promise<number | undefined>;
  open(path: string, range: ByteRange): Readable;
}
