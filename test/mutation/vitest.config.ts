import { defineConfig, mergeConfig } from 'vitest/config';
import suite from '../../vitest.config.ts';
import type { Mutant } from './mutants.ts';

const mutant = JSON.parse(process.env.MUTANT ?? 'null') as Mutant | null;

/** The suite with one fault in one file, which stays on disk as it is. */
export default mergeConfig(
  suite,
  defineConfig({
    plugins: [
      {
        name: 'mutant',
        enforce: 'pre',
        // What is kept of former runs is kept without faults.
        configureVitest: (context) =>
          context.defineCacheKeyGenerator(({ id }) => (id === mutant?.file ? false : undefined)),
        transform(code: string, id: string) {
          if (!mutant || id !== mutant.file) return undefined;
          return code.slice(0, mutant.start) + mutant.replacement + code.slice(mutant.end);
        },
      },
    ],
  }),
);
