import { readFile } from 'node:fs/promises';
import { makePassages } from '../indexing/make-passages.ts';
import { SegmentBuilder } from '../indexing/segment-builder.ts';
import type { IndexableDocument, IndexResult } from './messages.ts';
import { readBlocks } from './read-blocks.ts';
import { UnreadableError } from './unreadable-error.ts';

/** Makes one segment of documents; the same passage again, as on every page of a site, is taken once. */
export async function* indexDocuments(
  documents: readonly IndexableDocument[],
): AsyncGenerator<IndexResult> {
  const builder = new SegmentBuilder();
  const seen = new Set<string>();
  for (const { path, format, title, url } of documents) {
    for await (const passage of makePassages(readBlocks(await readFile(path), format))) {
      if (seen.has(passage.text)) continue;
      seen.add(passage.text);
      const full = builder.add({ ...passage, title, ...(url === undefined ? {} : { url }) });
      if (full) yield { kind: 'passages', ...full };
    }
  }
  const { last, summary } = builder.finish();
  if (last) yield { kind: 'passages', ...last };
  if (summary.passages === 0) throw new UnreadableError('There is no text in it.');
  yield { kind: 'summary', summary };
}
