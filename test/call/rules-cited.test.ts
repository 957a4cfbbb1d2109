import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** The rules of turn-taking that the call keeps. Each has a test that says so. */
const RULES = [
  ...['N1', 'N2', 'N3', 'N4', 'N5', 'N6', 'N7', 'N8', 'N9'],
  ...['C1', 'C2', 'C3', 'C4', 'C5', 'C6', 'C7', 'C8', 'C9'],
  ...['A1', 'A2', 'A3', 'A4', 'A5', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6'],
  ...[
    'B1',
    'B2',
    'B3',
    'B4',
    'B5',
    'B6',
    'B7',
    'B8',
    'B9',
    'B10',
    'B11',
    'B12',
    'B13',
    'B14',
    'B15',
  ],
  ...['W1', 'W2', 'W3', 'W4', 'I1', 'I2', 'I3', 'I4', 'I5', 'Y1', 'Y2', 'Y3', 'D1', 'D2'],
  ...['T1', 'T2', 'T3', 'T4', 'T5', 'T6', 'T7', 'T8', 'T9'],
  ...['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'K1', 'K2', 'K3', 'K4'],
];

const TITLE = /\b(?:test|describe)(?:\.each\([\s\S]*?\))?\(\s*(['"`])([\s\S]*?)\1/g;

test('every rule the call keeps is cited by the title of a test', () => {
  const cited = new Set(
    readdirSync(import.meta.dirname, { encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .flatMap((name) => [...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(TITLE)])
      .flatMap((match) => [...(match[2] ?? '').matchAll(/\[([A-Z]\d+)\]/g)])
      .map((match) => match[1]),
  );
  expect(RULES.filter((rule) => !cited.has(rule))).toEqual([]);
});
