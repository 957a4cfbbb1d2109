import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import type { SavedJob } from './format.ts';

/** The escapes in the text format of `copy`. JSON has no raw control characters, so that no others occur. */
const ESCAPED_BACKSLASH = /\\\\/g;

/** The unfinished jobs of a backup. */
export async function* readSavedJobs(folder: string): AsyncGenerator<SavedJob> {
  const path = join(folder, 'jobs.gz');
  if (!existsSync(path)) return;
  const lines = createInterface({ input: createReadStream(path).pipe(createGunzip()) });
  for await (const line of lines)
    yield JSON.parse(line.replace(ESCAPED_BACKSLASH, '\\')) as SavedJob;
}
