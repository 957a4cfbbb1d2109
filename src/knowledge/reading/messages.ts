import type { FileFormat } from '../../contract/file.ts';
import type { SegmentSummary } from '../../ports/knowledge.ts';
import type { IndexedPassages } from '../indexing/segment-builder.ts';
import type { SentFile } from './detect-format.ts';

/** The jobs of a reading process. */
export type ReaderJob =
  | { readonly kind: 'inspect'; readonly path: string; readonly sent: SentFile }
  /** Lists an HTML page's links. */
  | { readonly kind: 'links'; readonly path: string; readonly url: string }
  | { readonly kind: 'index'; readonly documents: readonly IndexableDocument[] };

/** A document to index. */
export interface IndexableDocument {
  readonly path: string;
  readonly format: FileFormat;
  readonly title: string;
  /** The URL of a fetched page. */
  readonly url?: string;
}

/** `more` acknowledges the last result. */
export type ReaderRequest = ReaderJob | { readonly kind: 'more' };

/** What a reading process says: `ready` once, then for each job any number of results and one of the others. */
export type ReaderAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'done'; readonly rssBytes: number }
  | { readonly kind: 'refused'; readonly reason: string }
  /** An internal error, with `detail` for the log. */
  | { readonly kind: 'failed'; readonly detail: string };

/** The results of `index`: passages with their index, then the summary. */
export type IndexResult =
  | ({ readonly kind: 'passages' } & IndexedPassages)
  | { readonly kind: 'summary'; readonly summary: SegmentSummary };

/** The result of `inspect`. */
export interface Inspection {
  readonly format: FileFormat;
}
