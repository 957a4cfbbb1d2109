import type { Memory } from './calls/core-shares.ts';
import { type LoadProcesses, withLoadProcesses } from './calls/load-processes.ts';
import { startService } from './calls/loaded-service.ts';
import { measureLoad } from './calls/measure.ts';
import { type Summary, summarize } from './calls/summary.ts';
import type { Bench, BenchOptions } from './main.ts';
import { markdownTable } from './markdown-table.ts';
import { spread, writeMeasured } from './measured.ts';

const PROCESSES = [1, 2];
const CALLS = [50, 100];
const SECONDS = 40;
const SETTLE_SECONDS = 45;
const WIRES = ['carrier', 'web'] as const;

/** The same calls on a number of processes, once. */
export interface Run {
  readonly processes: number;
  readonly service: Summary;
  readonly memory: Memory;
  readonly idleMemory: Memory;
  /** Sockets of calls that came to another process than that of their call. */
  readonly relayed: number;
}

/** What the service's processes together show of themselves. */
async function gauge(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const value = new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`the service shows no ${name}`);
  return Number(value);
}

async function run(
  load: LoadProcesses,
  { seconds = SECONDS, settleSeconds = SETTLE_SECONDS }: BenchOptions,
  calls: number,
  processes: number,
): Promise<Run> {
  const service = await startService(load.vendors, {
    PROCESSES: String(processes),
    // As many calls as are asked for, however late they make it.
    MAX_LAG_MS: '10000',
  });
  try {
    let relayed = 0;
    const window = await measureLoad(
      { measured: service, ...load },
      {
        ...{ calls, seconds, settleSeconds, wires: WIRES, silent: false },
        async lastly() {
          relayed = await gauge(service.target.url, 'parley_sockets_relayed');
        },
      },
    );
    const { memory, idleMemory } = window;
    return { processes, service: summarize(window), memory, idleMemory, relayed };
  } finally {
    await service.stop();
  }
}

/** The same calls on each number of processes by turns, in another order each time. */
async function rounds(load: LoadProcesses, options: BenchOptions, calls: number) {
  const runs: Run[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const order = round % 2 === 0 ? PROCESSES : PROCESSES.toReversed();
    for (const processes of order) {
      runs.push(await run(load, options, calls, processes));
      console.table(runs.map(row));
    }
  }
  return runs;
}

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((all, count) => all + count, 0);

const FIGURES: Readonly<Record<string, readonly [(run: Run) => number, digits: number]>> = {
  'CPU ms a call-second, all threads': [({ service }) => service.cpuMsPerCallSecond, 1],
  'its database': [
    ({ service: { cores, calls } }) => (10 * cores.database) / Math.max(1, calls),
    2,
  ],
  'busiest process, % of a core': [({ service }) => service.cores.busiestProcess, 0],
  'reply added p50, ms': [({ service }) => service.replyMs.p50, 1],
  'p99, ms': [({ service }) => service.replyMs.p99, 0],
  'of it the service’s, ms': [({ service }) => service.replyOwnMs.p99, 0],
  'frames over 20 ms late, %': [({ service }) => service.lateFramesPercent, 3],
  'decision to clear p99, ms': [({ service }) => service.clearMs.p99, 1],
  'RSS, MiB': [({ memory }) => memory.rssMib, 0],
  'PSS, MiB': [({ memory }) => memory.pssMib, 0],
  'PSS before the calls, MiB': [({ idleMemory }) => idleMemory.pssMib, 0],
  'sockets relayed': [({ relayed }) => relayed, 0],
  'lost or refused': [({ service }) => sum(service.lost) + sum(service.refused), 0],
};

const row = (one: Run) => ({
  calls: one.service.calls,
  processes: one.processes,
  ...Object.fromEntries(
    Object.entries(FIGURES).map(([name, [read, digits]]) => [
      name,
      Number(read(one).toFixed(digits)),
    ]),
  ),
  'loop delay p99': one.service.loopDelayMs.p99,
  'of a core, %': Object.values(one.service.cores).join(' '),
});

/** The table of docs/scale.md: figures down, calls and processes across; of each the middle round and the range. */
export function processesTable(loads: readonly (readonly Run[])[]): string {
  const columns = loads.flatMap((runs) => [
    ...Map.groupBy(runs, ({ processes }) => processes).values(),
  ]);
  const of = (runs: readonly Run[]) => {
    const [first] = runs as readonly [Run, ...Run[]];
    const { processes, service } = first;
    return `${service.calls} calls, ${processes === 1 ? 'one process' : `${processes} processes`}`;
  };
  const lines = Object.entries(FIGURES).map(([name, [read, digits]]) => [
    name,
    ...columns.map((runs) => spread(runs.map(read), digits)),
  ]);
  return markdownTable([['', ...columns.map(of)], ...lines]);
}

export const bench: Bench = {
  about:
    'the same calls on one process and on two: cost, tails, memory, sockets that are passed on',
  async run(options) {
    const loads: (readonly Run[])[] = [];
    await withLoadProcesses(async (load) => {
      for (const calls of options.calls ?? CALLS) loads.push(await rounds(load, options, calls));
    });
    const table = processesTable(loads);
    console.log(`\n${table}\n`);
    if (options.write) await writeMeasured('docs/scale.md', 'processes', table);
    return { runs: loads.flat() };
  },
};
