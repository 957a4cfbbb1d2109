import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const TESTS = resolve(import.meta.dirname, '..');
const TITLE = /\b(?:test|describe)(?:\.each\([\s\S]*?\))?\(\s*(['"`])([\s\S]*?)\1/g;

/** The rules of turn-taking as the docs have them, with the test file that each row names. */
const documented = new Map(
  [
    ...readFileSync(resolve(TESTS, '../docs/turn-taking.md'), 'utf8').matchAll(
      /^\| ([A-Z]\d+) \| .+ \| .+ \| \[.+\]\(\.\.\/test\/(.+)\) \|$/gm,
    ),
  ].map(([, rule = '', file = '']) => [rule, file] as const),
);

/** The files whose test titles cite a rule, by rule. */
const cited = new Map<string, Set<string>>();
for (const file of readdirSync(TESTS, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.test.ts')) continue;
  const titles = readFileSync(resolve(TESTS, file), 'utf8').matchAll(TITLE);
  for (const [, , title = ''] of titles) {
    for (const [, rule = ''] of title.matchAll(/\[([A-Z]\d+)\]/g)) {
      cited.set(rule, (cited.get(rule) ?? new Set()).add(file));
    }
  }
}

test('every rule in docs/turn-taking.md is cited by a test title in the file that its row names', () => {
  expect(documented.size).toBeGreaterThanOrEqual(93);
  const wrong = [...documented].filter(([rule, file]) => !cited.get(rule)?.has(file));
  expect(wrong).toEqual([]);
});

test('every rule that a test title cites stands in docs/turn-taking.md', () => {
  expect([...cited.keys()].filter((rule) => !documented.has(rule))).toEqual([]);
});
