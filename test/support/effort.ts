import { randomInt } from 'node:crypto';

const LONG = process.env.LONG_TESTS === '1';

/** How often a random test runs: as `npm test` does it, or as `npm run test:long` does. */
export function runs(effort: { readonly usual: number; readonly long: number }): number {
  return LONG ? effort.long : effort.usual;
}

/**
 * The seed of a test's random choices: fixed, new at each long run, or the one of `TEST_SEED`. It is printed,
 * so that what failed can be run again.
 */
export function testSeed(fixed: number): number {
  const given = process.env.TEST_SEED;
  const seed = given ? Number(given) : LONG ? randomInt(2 ** 31) : fixed;
  if (LONG || given) console.info(`TEST_SEED=${seed}`);
  return seed;
}
