import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeCallFile } from '../../src/calls/recordings.ts';
import { clearFiles } from '../support/clear-files.ts';

test('a file of a call gets its name only when its content is safe from a loss of power', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-call-files-'));
  try {
    const path = join(folder, 'call.txt');
    const seen: string[] = [];
    const files = {
      async create(name: string, teamId: string) {
        const file = await clearFiles.create(name, teamId);
        const sync = file.sync.bind(file);
        file.sync = async () => {
          await sync();
          const isNamed = await access(path).then(
            () => true,
            () => false,
          );
          seen.push(`${await readFile(name, 'utf8')}, ${isNamed ? 'named' : 'not named'}`);
        };
        return file;
      },
    };
    await writeCallFile(files, { path, teamId: 't', text: 'Caller: plums' });
    expect(seen).toEqual(['Caller: plums, not named']);
    expect(await readFile(path, 'utf8')).toBe('Caller: plums');
  } finally {
    await rm(folder, { recursive: true });
  }
});
