import type { JournalLine } from '../../ports/journal.ts';

const CHUNK_CHARS = 16_384;

/** A journal as NDJSON, in chunks worth a write. */
export async function* eventLines(journal: AsyncIterable<JournalLine>): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of journal) {
    chunk += `${JSON.stringify(line)}\n`;
    if (chunk.length < CHUNK_CHARS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
