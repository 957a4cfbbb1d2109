import { expect, test } from 'vitest';
import { shippedPackages } from '../packaging/shipped.ts';

const PERMISSIVE =
  /^\(?(?:MIT|MIT-0|ISC|Apache-2\.0|BSD(?:-[234]-Clause)?|0BSD|CC0-1\.0|BlueOak-1\.0\.0|Unlicense|Zlib|Python-2\.0|WTFPL)\b/;

/** Packages that say MIT and contain a copyleft library. */
const NOT_WHAT_THEY_SAY = ['mpg123-decoder'];

const shipped = shippedPackages();

test('everything that is shipped is permissively licensed', () => {
  expect(shipped.length).toBeGreaterThan(100);
  expect(
    shipped
      .filter(({ licence }) => !PERMISSIVE.test(licence))
      .map(({ path, licence }) => `${path}: ${licence}`),
  ).toEqual([]);
});

test.each(NOT_WHAT_THEY_SAY)('%s is not shipped: it contains a copyleft library', (name) => {
  expect(shipped.filter((one) => one.name === name)).toEqual([]);
});
