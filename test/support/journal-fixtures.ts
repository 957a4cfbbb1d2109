import { readdirSync, readFileSync } from 'node:fs';
import type { JournalLine } from '../../src/ports/journal.ts';

export const JOURNALS = new URL('../../fixtures/journals/', import.meta.url);

/** The recorded calls, by the names of their files. */
export function readJournals(): readonly (readonly [string, readonly JournalLine[]])[] {
  return readdirSync(JOURNALS)
    .filter((name) => name.endsWith('.ndjson'))
    .toSorted()
    .map((name) => {
      const lines = readFileSync(new URL(name, JOURNALS), 'utf8').trim().split('\n');
      return [name, lines.map((line) => JSON.parse(line) as JournalLine)] as const;
    });
}
