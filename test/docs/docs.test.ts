import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { failuresPage } from './failures-page.ts';

test('docs/failures.md is what npm run docs makes of the table', async () => {
  const path = resolve(import.meta.dirname, '../../docs/failures.md');
  expect(await readFile(path, 'utf8')).toBe(failuresPage());
});
