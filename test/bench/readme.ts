import { bench as abuse } from './abuse.ts';
import { bench as calls } from './calls.ts';
import { bench as consolePages } from './console.ts';
import { bench as cores } from './cores.ts';
import { bench as knowledge } from './knowledge.ts';
import type { Bench, BenchOptions } from './main.ts';
import { bench as processes } from './processes.ts';
import { bench as sound } from './turns-sound.ts';

/** With fewer, a range says nothing. */
const ROUNDS = 3;

const TABLES: Readonly<Record<string, readonly [Bench, Partial<BenchOptions>]>> = {
  calls: [calls, { calls: [50, 100, 200] }],
  processes: [processes, {}],
  cores: [cores, {}],
  'turns-sound': [sound, {}],
  abuse: [abuse, {}],
  console: [consolePages, {}],
  knowledge: [knowledge, {}],
};

export const bench: Bench = {
  about:
    'every table of README.md and docs that a benchmark writes, in three rounds or more; takes some two hours',
  async run(options) {
    const { seed, scale } = options;
    const results: Record<string, unknown> = {};
    for (const [name, [one, own]] of Object.entries(TABLES)) {
      console.log(`\n${name}: ${one.about}`);
      const usual = { curve: false, wire: 'both', overload: false, silent: false, oneCore: false };
      const rounds = Math.max(ROUNDS, options.rounds);
      results[name] = await one.run({ ...usual, seed, scale, rounds, write: true, ...own });
    }
    return results;
  },
};
