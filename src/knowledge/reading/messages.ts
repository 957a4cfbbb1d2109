import type { FileFormat } from '../../contract/file.ts';
import type { SegmentSummary } from '../../ports/knowledge.ts';
import type { IndexedPassages } from '../indexing/segment-builder.ts';
import type { SentFile } from './detect-format.ts';

/** What a reading process is asked. */
export type ReaderJob =
  | { readonly kind: 'inspect'; readonly path: string; readonly sent: SentFile }
  /** Of an HTML page. */
  | { readonly kind: 'links'; readonly path: string; readonly url: string }
  | { readonly kind: 'index'; readonly documents: readonly IndexableDocument[] };

/** A document to be made searchable. */
export interface IndexableDocument {
  readonly path: string;
  readonly format: FileFormat;
  readonly title: string;
  /** Of a page that was fetched. */
  readonly url?: string;
}

/** `more`: the last result was taken. */
export type ReaderRequest = ReaderJob | { readonly kind: 'more' };

/** What it answers: any number of results, then one of the others. */
export type ReaderAnswer =
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'done'; readonly rssBytes: number }
  | { readonly kind: 'refused'; readonly reason: string }
  /** A fault of ours, or of a library: `detail` is for the log. */
  | { readonly kind: 'failed'; readonly detail: string };

/** What `index` results in: passages with their index, then the summary. */
export type IndexResult =
  | ({ readonly kind: 'passages' } & IndexedPassages)
  | { readonly kind: 'summary'; readonly summary: SegmentSummary };

/** What `inspect` results in. */
export interface Inspection {
  readonly format: FileFormat;
}
