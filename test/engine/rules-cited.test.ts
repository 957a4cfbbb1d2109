import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** The rules of turn-taking: how many each letter has. */
const RULES = Object.entries({
  N: 9, // endpointing
  C: 9, // the caller's turn
  A: 5, // the reply
  S: 5, // drafts
  H: 6, // heard text
  B: 15, // barge-in
  W: 4, // welcome
  I: 5, // idle
  Y: 4, // say and mute
  D: 2, // keys
  T: 9, // tools
  E: 6, // endings
  X: 8, // transfer
  V: 2, // machines and hold
  K: 4, // watchdogs
}).flatMap(([letter, count]) => Array.from({ length: count }, (_, i) => `${letter}${i + 1}`));

const TITLE = /\b(?:test|describe)(?:\.each\([\s\S]*?\))?\(\s*(['"`])([\s\S]*?)\1/g;

test('every rule is cited by the title of a test', () => {
  const cited = new Set(
    readdirSync(import.meta.dirname, { encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .flatMap((name) => [...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(TITLE)])
      .flatMap((match) => [...(match[2] ?? '').matchAll(/\[([A-Z]\d+)\]/g)])
      .map((match) => match[1]),
  );
  expect(RULES.filter((rule) => !cited.has(rule))).toEqual([]);
});
