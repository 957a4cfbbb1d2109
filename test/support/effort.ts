import { randomInt } from 'node:crypto';

/** True in `npm run test:long`, which runs what `npm test` leaves out. A file that imports this one is run by both. */
export const isLong = process.env.LONG_TESTS === '1';

/** How often a random test runs: as `npm test` does it, or as `npm run test:long` does. */
export function runs(effort: { readonly usual: number; readonly long: number }): number {
  return isLong ? effort.long : effort.usual;
}

/** Rows of a table: in `npm test` those that stand for the others, in the long run the others. */
export function rowsOf<const Usual, const Long>(table: {
  readonly usual: readonly Usual[];
  readonly long: readonly Long[];
}): readonly (Usual | Long)[] {
  return isLong ? table.long : table.usual;
}

/** The seed of a test's random choices: fixed, or the one of `TEST_SEED`, which is printed; `new` draws one. */
export function testSeed(fixed: number): number {
  const given = process.env.TEST_SEED;
  if (!given) return fixed;
  const seed = given === 'new' ? randomInt(2 ** 31) : Number(given);
  console.info(`TEST_SEED=${seed}`);
  return seed;
}
