import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

interface Locked {
  readonly license?: string;
  readonly dev?: boolean;
}

const lock = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../package-lock.json'), 'utf8'),
) as { packages: Record<string, Locked> };

const PERMISSIVE =
  /^\(?(?:MIT|MIT-0|ISC|Apache-2\.0|BSD(?:-[234]-Clause)?|0BSD|CC0-1\.0|BlueOak-1\.0\.0|Unlicense|Zlib|Python-2\.0|WTFPL)\b/;

/** Packages that say MIT and contain a copyleft library. */
const NOT_WHAT_THEY_SAY = ['mpg123-decoder'];

const shipped = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev);

test('everything that is shipped is permissively licensed', () => {
  expect(shipped.length).toBeGreaterThan(100);
  expect(
    shipped
      .filter(([, { license }]) => !PERMISSIVE.test(license ?? ''))
      .map(([path, { license }]) => `${path}: ${license}`),
  ).toEqual([]);
});

test.each(NOT_WHAT_THEY_SAY)('%s is not shipped: it contains a copyleft library', (name) => {
  expect(shipped.filter(([path]) => path.endsWith(`node_modules/${name}`))).toEqual([]);
});
