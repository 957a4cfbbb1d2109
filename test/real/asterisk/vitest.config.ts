import { defineConfig } from 'vitest/config';

/** Against a real Asterisk, in real time, one call after the other: `npm run test:asterisk`. */
export default defineConfig({
  test: {
    name: 'asterisk',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 90_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
    fileParallelism: false,
  },
});
