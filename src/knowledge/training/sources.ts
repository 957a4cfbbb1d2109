import { hash } from 'node:crypto';
import type { StoredFile } from '../../store/files.ts';
import type { IndexableDocument } from '../reading/messages.ts';

/** What becomes one segment of a knowledge base. */
export interface Source {
  /** `file:<id>` or `url:<address>`. */
  readonly name: string;
  readonly title: string;
  /** Of its content: the same again says the same. */
  readonly contentHash: string;
  readonly documents: readonly IndexableDocument[];
}

/** Of the rules that cut sources into passages: a change has all sources read again. */
export const READER_VERSION = 4;

/** Tells whether a segment is what a training now would make of the source. */
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

/** "opening-hours_2026.pdf" is about opening hours. */
function titleOfName(name: string): string {
  return name.replace(/\.[a-z0-9]{1,10}$/i, '').replace(/[-_.]+/g, ' ');
}
