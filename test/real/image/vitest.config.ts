import { defineConfig } from 'vitest/config';

/** The image, built and run: `npm run test:image`. */
export default defineConfig({
  test: {
    name: 'image',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    fileParallelism: false,
  },
});
