import type { FileFormat } from '../../contract/file.ts';
import type { SentFile } from './detect-format.ts';

/** What a reading process is asked. */
export type ReaderJob = {
  readonly kind: 'inspect';
  readonly path: string;
  readonly sent: SentFile;
};

export type ReaderRequest = ReaderJob | { readonly kind: 'more' };

/** What it answers: any number of results, then one of the others. */
export type ReaderAnswer =
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'done'; readonly rssBytes: number }
  | { readonly kind: 'refused'; readonly reason: string }
  /** A fault of ours, or of a library: `detail` is for the log. */
  | { readonly kind: 'failed'; readonly detail: string };

/** What `inspect` results in. */
export interface Inspection {
  readonly format: FileFormat;
}
