import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import suite from '../../vitest.config.ts';
import type { Mutant } from './mutants.ts';
import { insertProbes } from './probes.ts';

const mutant = JSON.parse(process.env.MUTANT ?? 'null') as Mutant | null;
const probed = JSON.parse(process.env.PROBED ?? '[]') as readonly Mutant[];
const touched = new Set([mutant, ...probed].map((one) => one?.file));
if (probed.length > 0)
  for (const project of suite.test?.projects ?? [])
    if (typeof project === 'object' && 'test' in project && project.test)
      project.test.setupFiles = [join(import.meta.dirname, 'note-reached.ts')];

/** The suite with one fault in one file, or with probes at places of faults. The files on disk stay as they are. */
export default mergeConfig(
  suite,
  defineConfig({
    // Vite's plugins see what Vite runs.
    test: { experimental: { viteModuleRunner: true } },
    plugins: [
      {
        name: 'mutant',
        enforce: 'pre',
        // What is kept of former runs is kept without faults.
        configureVitest: (context) =>
          context.defineCacheKeyGenerator(({ id }) => (touched.has(id) ? false : undefined)),
        transform(code: string, id: string) {
          if (!touched.has(id)) return undefined;
          if (!mutant) return insertProbes(code, id, probed);
          return code.slice(0, mutant.start) + mutant.replacement + code.slice(mutant.end);
        },
      },
    ],
  }),
);
