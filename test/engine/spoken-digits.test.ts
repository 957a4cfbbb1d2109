import { expect, test } from 'vitest';
import { languageOf } from '../../src/engine/language/language.ts';
import { spokenDigits } from '../../src/engine/language/spoken-digits.ts';

test.each([
  ['four one five', 3, 3],
  ['415, 55', 5, 2],
  ['fifteen', 2, 1],
  ['twenty five', 2, 1],
  ['five twenty', 3, 2],
  ['twenty five six', 3, 2],
  ['twenty five thirty six', 4, 2],
  // Written as digits, the one does not belong to the other.
  ['20 five', 3, 2],
  ['twenty 5', 3, 2],
  ['four one please five', 3, 1],
  ['', 0, 0],
])('%j has %d digits, and ends in %d numbers', (text, count, tailGroups) => {
  expect(spokenDigits(text, languageOf(['en']))).toMatchObject({ count, tailGroups });
});
