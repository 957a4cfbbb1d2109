import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createContract, operationsOf } from '../../src/contract/contract.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';
import { vendors } from './vendors.ts';

const LINTER = join(
  dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')),
  'bin/cli.js',
);

test('a linter has nothing to say against the document', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-lint-'));
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(openApiDocument(operationsOf(createContract(vendors)))));
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [LINTER, 'lint', file, '--format=json'],
      {
        cwd: folder,
        env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
    const { totals, problems } = JSON.parse(stdout);
    expect(problems.map(({ message }: { message: string }) => message)).toEqual([]);
    expect(totals).toMatchObject({ errors: 0, warnings: 0 });
  } finally {
    await rm(folder, { recursive: true });
  }
});
