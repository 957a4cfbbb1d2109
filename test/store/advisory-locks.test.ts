import { expect, test } from 'vitest';
import { advisoryLocks } from '../../src/store/advisory-locks.ts';

test('no two uses of advisory locks share a key', () => {
  const keys = Object.values(advisoryLocks);
  expect(new Set(keys).size).toBe(keys.length);
});
