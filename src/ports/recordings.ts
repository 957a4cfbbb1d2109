import type { Readable } from 'node:stream';
import type { ByteRange, LinkOptions } from './download.ts';

/** Reads recordings by their path in the folder of recordings. */
export interface RecordingReader {
  /** Undefined when there is no such file. The caller needs the size to choose a range. */
  size(path: string): Promise<number | undefined>;
  open(path: string, range: ByteRange): Readable;
  /** An address at which anybody may download it for some time; undefined if there can be none. */
  link(path: string, options: LinkOptions): Promise<string | undefined>;
}
