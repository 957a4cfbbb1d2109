import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/real/web/*.test.ts'],
    testTimeout: 240_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
