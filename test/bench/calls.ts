import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { causesOf, lateReplies } from './calls/late-replies.ts';
import { type LoadProcesses, withLoadProcesses } from './calls/load-processes.ts';
import { startFloor, startService } from './calls/loaded-service.ts';
import { type Load, measureLoad, type Window } from './calls/measure.ts';
import { pinService, pinToOthers } from './calls/pin.ts';
import { replyHops } from './calls/reply-hops.ts';
import { activity, type Wire } from './calls/spoken-turns.ts';
import { repliesOf, type Summary, summarize } from './calls/summary.ts';
import type { Bench, BenchOptions } from './main.ts';
import { markdownTable } from './markdown-table.ts';
import { spread, writeMeasured } from './measured.ts';

const CURVE = [1, 50, 100, 200, 300];
const CALLS = [50];
/** Long enough for some hundred replies: of fewer the slowest hundredth says little. */
const SECONDS = 40;
const OVERLOAD = 1.5;
/** As many calls as are asked for, however late they make it. */
const ALL_TAKEN = { MAX_LAG_MS: '10000' };
/** By then the compilers have done most of their work. */
const SETTLE_SECONDS = 45;
const WIRES: Readonly<Record<string, readonly Wire[]>> = {
  both: ['carrier', 'web'],
  carrier: ['carrier'],
  web: ['web'],
};

interface Point {
  readonly calls: number;
  readonly floorMs: number;
  readonly ratio: number;
  readonly service: Summary;
  readonly floor: Summary;
}

function loadOf(options: BenchOptions, calls: number): Load {
  return {
    calls,
    seconds: options.seconds ?? SECONDS,
    settleSeconds: options.settleSeconds ?? SETTLE_SECONDS,
    wires: WIRES[options.wire] ?? (WIRES.both as readonly Wire[]),
    silent: options.silent,
  };
}

/** The floor, the service, and the floor again: what the machine does beside them falls on both. */
async function measurePoint(
  load: LoadProcesses,
  options: BenchOptions,
  calls: number,
): Promise<Point> {
  const wanted = loadOf(options, calls);
  const floorLoad = { ...wanted, seconds: wanted.seconds / 2, settleSeconds: 1 };
  const onFloor = async () => {
    const floor = await startFloor();
    try {
      if (options.oneCore) await pinService(floor.probe.process.pid);
      return summarize(await measureLoad({ measured: floor, ...load }, floorLoad));
    } finally {
      await floor.stop();
    }
  };
  const before = await onFloor();
  const { profile, allocations } = options;
  const profiled = profile
    ? { profile: { kind: 'cpu', path: profile } as const }
    : allocations
      ? { profile: { kind: 'allocations', path: allocations } as const }
      : {};
  const service = await startService(load.vendors, ALL_TAKEN);
  let served: Summary;
  try {
    if (options.oneCore) await pinService(service.probe.process.pid);
    const trace = options.trace !== undefined;
    const parties = { measured: service, ...load };
    const window = await measureLoad(parties, { ...wanted, ...profiled, trace });
    served = summarize(window);
    if (options.trace) await tellReplies(window, options.trace);
  } finally {
    await service.stop();
  }
  const after = await onFloor();
  const floorMs = (before.cpuMsPerCallSecond + after.cpuMsPerCallSecond) / 2;
  const ratio = Math.round((served.cpuMsPerCallSecond / floorMs) * 100) / 100;
  return { calls, floorMs, ratio, service: served, floor: after };
}

/** Prints where replies spent their time and what late ones waited for, and writes each of the late ones to a file. */
async function tellReplies(window: Window, file: string): Promise<void> {
  console.log('replies by what they took, ms:');
  console.table(replyHops(repliesOf(window)));
  const late = lateReplies(window);
  console.log(`${late.length} late replies, by what most of each waited for:`);
  console.table(causesOf(late));
  await writeFile(file, late.map((reply) => `${JSON.stringify(reply)}\n`).join(''));
}

/** As often as is asked for: what else the machine does falls on one and not on another. */
async function measureRounds(
  processes: LoadProcesses,
  options: BenchOptions,
  calls: number,
): Promise<readonly Point[]> {
  const points: Point[] = [];
  while (points.length < options.rounds) {
    points.push(await measurePoint(processes, options, calls));
    console.table(points.map(row));
  }
  return points;
}

function row({ calls, floorMs, ratio, service, floor }: Point) {
  const ms = ({ p50, p99, p999 }: { p50: number; p99: number; p999: number }) =>
    `${p50.toFixed(1)} / ${p99.toFixed(1)} / ${p999.toFixed(1)}`;
  return {
    calls,
    'CPU ms/call-s': service.cpuMsPerCallSecond,
    'of it main thread': service.mainThreadMsPerCallSecond,
    floor: Math.round(floorMs * 1000) / 1000,
    ratio,
    'late p50/p99/p99.9': ms(service.latenessMs),
    '> 20 ms, %': service.lateFramesPercent,
    'reply p50/p99/p99.9': ms(service.replyMs),
    'of it ours': ms(service.replyOwnMs),
    'clear p50/p99/p99.9': ms(service.clearMs),
    'loop delay': ms(service.loopDelayMs),
    "floor's loop": ms(floor.loopDelayMs),
    'live KiB/call': service.liveKiBPerCall,
    'rss KiB/call': service.rssKiBPerCall,
    'of a core, %': Object.values(service.cores).join(' '),
    'lost, refused': sum(service.lost) + sum(service.refused),
  };
}

/** The table of README.md: of each figure the middle round and the range. */
export function loadsTable(loads: readonly (readonly Point[])[]): string {
  const cells = (points: readonly Point[]) => {
    const over = (figure: (point: Point) => number, digits = 1) =>
      spread(points.map(figure), digits);
    const service = (figure: (summary: Summary) => number, digits = 1) =>
      over((point) => figure(point.service), digits);
    return [
      `${points[0]?.calls}`,
      service(({ cpuMsPerCallSecond: ms }) => ms),
      over(({ floorMs }) => floorMs),
      over(({ ratio }) => ratio),
      service(({ lateFramesPercent }) => lateFramesPercent, 3),
      service(({ replyMs }) => replyMs.p50),
      service(({ replyMs }) => replyMs.p99, 0),
      service(({ replyOwnMs }) => replyOwnMs.p99, 0),
      service(({ clearMs }) => clearMs.p99),
      service(({ liveKiBPerCall }) => liveKiBPerCall, 0),
      service((summary) => sum(summary.lost) + sum(summary.refused), 0),
    ];
  };
  const head = [
    ...['Calls', 'CPU ms a call-second, all threads', 'bare server', 'ratio'],
    ...['frames over 20 ms late, %', 'reply added p50, ms', 'p99, ms', 'of it the service’s, ms'],
    ...['decision to clear p99, ms', 'KiB a call', 'lost or refused'],
  ];
  return markdownTable([head, ...loads.map(cells)]);
}

const WHOSE = {
  service: 'service',
  database: 'its database',
  callers: 'callers',
  vendors: 'vendors',
  others: 'all else',
} as const;

/** Who had which core meanwhile, in percent of one: a figure is the service's own only where nobody was in its way. */
export function coresTable(loads: readonly (readonly Point[])[]): string {
  const whose = Object.keys(WHOSE) as (keyof typeof WHOSE)[];
  const rows = loads.flatMap((points) =>
    (['first', 'others'] as const).map((core) => [
      `${points[0]?.calls}`,
      core === 'first' ? 'the first' : 'all others together',
      ...whose.map((one) => spread(points.map(({ service }) => service.coreByCore[core][one]))),
    ]),
  );
  return markdownTable([['Calls', 'core', ...Object.values(WHOSE)], ...rows]);
}

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((all, count) => all + count, 0);

/** Half as many calls again as the main thread has time for: what is refused, and how the others fare. */
async function overload(processes: LoadProcesses, options: BenchOptions, msPerCallSecond: number) {
  const asked = Math.ceil((OVERLOAD * 1000) / msPerCallSecond);
  const { MAX_LAG_MS } = process.env;
  const service = await startService(processes.vendors, MAX_LAG_MS ? { MAX_LAG_MS } : {});
  try {
    if (options.oneCore) await pinService(service.probe.process.pid);
    const load = loadOf(options, asked);
    const held = summarize(await measureLoad({ measured: service, ...processes }, load));
    console.table({
      asked,
      held: held.calls,
      ...held.refused,
      'late > 20 ms, %': held.lateFramesPercent,
      'reply p50, ms': held.replyMs.p50,
      'reply p99, ms': held.replyMs.p99,
      lost: sum(held.lost),
    });
    return { asked, held };
  } finally {
    await service.stop();
  }
}

export const bench: Bench = {
  about: 'hundreds of calls on one process, against a bare socket server that answers each frame',
  async run(options) {
    const loads: (readonly Point[])[] = [];
    let overloaded: Awaited<ReturnType<typeof overload>> | undefined;
    await withLoadProcesses(async (processes) => {
      if (options.oneCore)
        for (const { process } of [processes.vendors, processes.callers])
          await pinToOthers(process.pid);
      for (const calls of options.calls ?? (options.curve ? CURVE : CALLS)) {
        loads.push(await measureRounds(processes, options, calls));
      }
      const last = loads.at(-1)?.at(-1)?.service.mainThreadMsPerCallSecond;
      if (options.overload && last) overloaded = await overload(processes, options, last);
    });
    console.log('goal: at most 2.0 x the floor; late frames under 1 %');
    const table = `${loadsTable(loads)}\n\nOf one core, %:\n\n${coresTable(loads)}`;
    console.log(`\n${table}\n`);
    if (options.write) await writeMeasured('README.md', 'calls', table);
    const points = loads.flat();
    const report = { at: new Date().toISOString(), activity: activity(), points, overloaded };
    if (options.report) {
      await mkdir(dirname(options.report), { recursive: true });
      await writeFile(options.report, `${JSON.stringify(report, undefined, 2)}\n`);
      console.log(`written to ${options.report}`);
    }
    return report;
  },
};
