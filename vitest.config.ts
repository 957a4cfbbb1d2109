import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    globalSetup: ['test/support/database-engines.ts'],
    // Two cores: more workers than cores make the real-time tests late.
    maxWorkers: 2,
  },
});
