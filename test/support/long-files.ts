import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';

const TEST = resolve(import.meta.dirname, '..');

/** Imports what knows how much is to be tried, or runs on another database in the long run. */
const HAS_LONG_FORM = /\/(?:effort|page-check|hostile-texts|s3-server)\.ts'|\bwithDatabases\b/;

/** Test files that are not for `npm run test:long`: neither their name nor their text says that they have a long form. */
export function filesWithoutLongForm(): string[] {
  return readdirSync(TEST, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !name.endsWith('.long.test.ts'))
    .filter((name) => !HAS_LONG_FORM.test(readFileSync(join(TEST, name), 'utf8')))
    .map((name) => `test/${name.split(sep).join('/')}`);
}
