import { readFile } from 'node:fs/promises';
import { makePassages } from '../indexing/make-passages.ts';
import {
  type IndexedPassage,
  SegmentBuilder,
  type TermEntry,
} from '../indexing/segment-builder.ts';
import type { IndexableDocument, IndexResult } from './messages.ts';
import { readBlocks } from './read-blocks.ts';
import { UnreadableError } from './unreadable-error.ts';

const BATCH_PASSAGES = 50;
const BATCH_TERMS = 200;
const BATCH_BYTES = 64 * 1024;

/** Makes one segment of documents; the same passage again, as on every page of a site, is taken once. */
export async function* indexDocuments(
  documents: readonly IndexableDocument[],
): AsyncGenerator<IndexResult> {
  const builder = new SegmentBuilder();
  const seen = new Set<string>();
  let batch: IndexedPassage[] = [];
  for (const { path, format, title, url } of documents) {
    for await (const passage of makePassages(readBlocks(await readFile(path), format))) {
      if (documents.length > 1 && seen.has(passage.text)) continue;
      if (documents.length > 1) seen.add(passage.text);
      batch.push(...builder.add({ ...passage, title, ...(url === undefined ? {} : { url }) }));
      if (batch.length < BATCH_PASSAGES) continue;
      yield { kind: 'passages', passages: batch };
      batch = [];
    }
  }
  const { passages, summary } = builder.finish();
  batch.push(...passages);
  if (batch.length > 0) yield { kind: 'passages', passages: batch };
  if (summary.passages === 0) throw new UnreadableError('There is no text in it.');
  yield* termBatches(builder.terms());
  yield { kind: 'summary', summary };
}

function* termBatches(terms: Iterable<TermEntry>): Generator<IndexResult> {
  let batch: TermEntry[] = [];
  let bytes = 0;
  for (const entry of terms) {
    batch.push(entry);
    bytes += entry.postings.length;
    if (batch.length < BATCH_TERMS && bytes < BATCH_BYTES) continue;
    yield { kind: 'terms', terms: batch };
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield { kind: 'terms', terms: batch };
}
