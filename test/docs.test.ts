import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

test.each(PAGES)('%s links to what is there', (page) => {
  const links = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\(([^)#\s]+)/g)]
    .map((match) => match[1] as string)
    .filter((link) => !/^[a-z]+:/.test(link));
  expect(links.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);
});

test.each(['CONTRIBUTING.md', 'docs/architecture.md', 'docs/testing.md'])(
  '%s names files that are there',
  (page) => {
    const named = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/`([\w.-]+\/[\w./-]*)`/g)]
      .map((match) => match[1] as string)
      .filter((path) => /\.(ts|md)$/.test(path));
    expect(named.length).toBeGreaterThan(0);
    const isThere = (path: string) =>
      [ROOT, join(ROOT, 'src'), join(ROOT, 'src/providers')].some((folder) =>
        existsSync(join(folder, path)),
      );
    expect(named.filter((path) => !isThere(path))).toEqual([]);
  },
);
