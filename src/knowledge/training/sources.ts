import { hash } from 'node:crypto';
import type { StoredFile } from '../../store/files.ts';
import type { IndexableDocument } from '../reading/messages.ts';

/** A file or site that becomes one segment of a knowledge base. */
export interface Source {
  /** `file:<id>` or `url:<address>`. */
  readonly name: string;
  readonly title: string;
  /** Hash of the content. */
  readonly contentHash: string;
  readonly documents: readonly IndexableDocument[];
}

/** Version of the rules that cut sources into passages; a change has all sources read again. */
export const READER_VERSION = 8;

/** Identifies the result of training a source; a segment with another fingerprint is outdated. */
export function fingerprintOf(
  { contentHash, title }: Source,
  vectorModel: string | undefined,
): string {
  return hash('sha256', JSON.stringify([READER_VERSION, contentHash, title, vectorModel ?? null]));
}

/** An uploaded file as a source. */
export function fileSource({ id, name, format, sha256 }: StoredFile, path: string): Source {
  return {
    name: `file:${id}`,
    title: name,
    contentHash: `${format} ${sha256}`,
    documents: [{ path, format, title: titleOfName(name) }],
  };
}

/** A title from a file name: "opening-hours_2026.pdf" gives "opening hours 2026". */
function titleOfName(name: string): string {
  return name.replace(/\.[a-z0-9]{1,10}$/i, '').replace(/[-_.]+/g, ' ');
}
