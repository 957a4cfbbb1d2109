import type { Readable } from 'node:stream';

/** Bytes of a file, both ends included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Where recordings are read from. */
export interface RecordingReader {
  /** Nothing when there is no such file. The size is known before the range is chosen. */
  size(path: string): Promise<number | undefined>;
  open(path: string, range: ByteRange): Readable;
}
