import { readdirSync, readFileSync } from 'node:fs';
import type { JournalLine } from '../../src/ports/journal.ts';

export const JOURNALS = new URL('../../fixtures/journals/', import.meta.url);

/** A file's name, and its lines. */
type NamedJournal = readonly [string, readonly JournalLine[]];

/** The recorded calls that stand for all others, by the names of their files. */
export const readJournals = (): readonly NamedJournal[] => readFolder('');

/** Recorded calls that only the engine's version is held against: each notices changes that no other does. */
export const readMoreJournals = (): readonly NamedJournal[] => readFolder('more/');

function readFolder(folder: string): readonly NamedJournal[] {
  return readdirSync(new URL(folder, JOURNALS))
    .filter((name) => name.endsWith('.ndjson'))
    .toSorted()
    .map((name) => {
      const path = `${folder}${name}`;
      const lines = readFileSync(new URL(path, JOURNALS), 'utf8').trim().split('\n');
      return [path, lines.map((line) => JSON.parse(line) as JournalLine)];
    });
}
