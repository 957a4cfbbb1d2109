import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { describeConfig } from '../../src/config/config.ts';
import { FAILURES } from '../../src/contract/failures.ts';
import { WALK } from '../conformance/walk.ts';
import { conformancePage } from './conformance-page.ts';
import { failuresPage } from './failures-page.ts';

const doc = (name: string) => readFile(resolve(import.meta.dirname, '../../docs', name), 'utf8');

test('docs/failures.md is what npm run docs makes of the table', async () => {
  expect(await doc('failures.md')).toBe(failuresPage());
});

test.each(Object.entries(FAILURES))('%s: its help names settings that there are', (_, { help }) => {
  const settings = describeConfig().map(({ name }) => name);
  const named = help.replaceAll('POST /', '/').match(/\b[A-Z][A-Z_]{2,}\b/g) ?? [];
  expect(named.filter((name) => !settings.includes(name))).toEqual([]);
});

test('docs/conformance.md is what npm run docs makes of the walk', async () => {
  expect(await doc('conformance.md')).toBe(conformancePage());
});

test.each(Object.values(WALK).flat())('$row: its test is there', async ({ file, title }) => {
  const source = await readFile(resolve(import.meta.dirname, '..', file), 'utf8');
  const titled = /(?:\btest(?:\.(?:for|each)\b[^(]*)?|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\\n])*)\1/g;
  const titles = [...source.matchAll(titled)].map(([, , text = '']) => text.replaceAll("\\'", "'"));
  expect(titles.filter((text) => text.includes(title))).toHaveLength(1);
});
