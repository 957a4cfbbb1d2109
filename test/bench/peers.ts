import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { startCallers } from './calls/callers.ts';
import { Child } from './calls/child.ts';
import type { VendorsApi } from './calls/messages.ts';
import { pinToOthers } from './calls/pin.ts';
import type { Bench, BenchOptions } from './main.ts';
import { writeMeasured } from './measured.ts';
import { installPeer } from './peers/install.ts';
import { VERSIONS } from './peers/livekit/packages.ts';
import { type Load, measurePoint, type Point } from './peers/measure.ts';
import { isGood, QUALITY } from './peers/quality.ts';
import { mostOf, nextCalls, type Tried } from './peers/search.ts';
import { type Subject, subjectsOf } from './peers/subjects.ts';
import { peersTable, type Round, type Row } from './peers/table.ts';

const FEW_CALLS = 10;
/** Two rounds of what callers say, and a little for where they begin. */
const SECONDS = 45;
/** LiveKit takes nothing for an interruption in the first three seconds of its voice; compilers need some time as well. */
const SETTLE_SECONDS = 30;
/** Callers who are so late with a few calls had no core to themselves: then these are measured again. */
const CALLERS_LATE_MS = 15;
const MAX_TRIES = 3;
/** Of a core that a first search begins with. */
const FIRST_SHARE = 0.7;

const round = (value: number) => Math.round(value * 10) / 10;

const shown = ({ replyMs, clearMs, ...point }: Point) => ({
  calls: point.calls,
  'CPU ms/call-s': round(point.cpuMsPerCallSecond),
  'reply p50/p99': `${replyMs.p50} / ${replyMs.p99}`,
  'clear p50/p99': `${clearMs.p50} / ${clearMs.p99}`,
  'late frames, %': round(point.lateFramesPercent),
  'MiB at rest': point.restMib,
  'MiB a call': round(point.mibPerCall),
  processes: point.processes,
  turns: point.turns,
  'unanswered, %': round(point.unansweredPercent),
  'uncleared, %': round(point.unclearedPercent),
  'final texts': point.finals,
  'callers late p99': point.callersLateMs,
  'lost, refused': JSON.stringify([point.lost, point.refused]),
});

async function tell(subject: Subject, point: Promise<Point>): Promise<Point> {
  const measured = await point;
  console.log(subject.name);
  console.table(shown(measured));
  if (Object.keys(measured.warnings).length > 0) console.log('its log warns of', measured.warnings);
  return measured;
}

async function measureFew(subject: Subject, load: Load, calls: number): Promise<Point> {
  for (let tries = 1; ; tries++) {
    const few = await tell(subject, measurePoint(subject, load, calls));
    if (few.callersLateMs <= CALLERS_LATE_MS || tries === MAX_TRIES) return few;
    console.log('the callers themselves were late: measured again');
  }
}

/** The most calls at quality, beginning with what an earlier round has found. */
async function search(subject: Subject, load: Load, few: Point, found?: number): Promise<Point> {
  const share = Math.floor((FIRST_SHARE * 1000) / few.cpuMsPerCallSecond);
  const first = found ?? share;
  let most = few;
  const tried: Tried[] = [{ calls: few.calls, isGood: true }];
  let calls = first > few.calls ? first : nextCalls(tried);
  while (calls !== undefined) {
    const point = await tell(subject, measurePoint(subject, load, calls));
    tried.push({ calls, isGood: isGood(point, few) });
    if (mostOf(tried) === calls) most = point;
    calls = nextCalls(tried);
  }
  return most;
}

function chosen(subjects: readonly Subject[], names: readonly string[] | undefined) {
  const unknown = names?.find((name) => !subjects.some((subject) => subject.name === name));
  if (unknown)
    throw new Error(
      `There is no peer "${unknown}", only ${subjects.map(({ name }) => name).join(', ')}.`,
    );
  return names ? subjects.filter(({ name }) => names.includes(name)) : subjects;
}

async function measureRounds(subjects: readonly Subject[], load: Load, options: BenchOptions) {
  const rounds = new Map<Subject, Round[]>(subjects.map((subject) => [subject, []]));
  const [fewCalls = FEW_CALLS] = options.calls ?? [];
  for (let n = 0; n < options.rounds; n++) {
    for (const [subject, done] of rounds) {
      const few = await measureFew(subject, load, fewCalls);
      const found = done.at(-1)?.most?.calls;
      const isSearched = subject.isSearched && !options.fewOnly;
      done.push({ few, ...(isSearched ? { most: await search(subject, load, few, found) } : {}) });
    }
  }
  return [...rounds].map(([{ about }, done]): Row => ({ about, rounds: done }));
}

export const bench: Bench = {
  about: 'the same calls on Parley and on LiveKit Agents for Node, which is installed from npm',
  async run(options) {
    if (process.platform !== 'linux' || availableParallelism() < 2)
      throw new Error('peers are compared on Linux, with two cores or more');
    const subjects = chosen(subjectsOf(await installPeer()), options.peers);
    const load: Load = {
      vendors: new Child<VendorsApi>(join(import.meta.dirname, 'peers/vendors.ts')),
      callers: await startCallers(),
      seconds: options.seconds ?? SECONDS,
      settleSeconds: options.settleSeconds ?? SETTLE_SECONDS,
    };
    try {
      for (const { pid } of [process, load.vendors.process, load.callers.process])
        await pinToOthers(pid);
      const versions = Object.entries(VERSIONS).map(([name, version]) => `${name} ${version}`);
      console.log(`Node ${process.version}, ${versions.join(', ')}`);
      const rows = await measureRounds(subjects, load, options);
      const table = peersTable(rows);
      console.log(`\n${table}\n`);
      console.log(
        'calls a core: at most so many of a hundred more than with a few fare worse',
        QUALITY,
      );
      const isBusy = rows
        .flatMap(({ rounds }) => rounds)
        .some(({ few }) => few.callersLateMs > CALLERS_LATE_MS);
      if (isBusy) console.log('the machine had other work: the callers themselves were late');
      else if (options.write) await writeMeasured('docs/peers.md', 'peers', table);
      const report = { at: new Date().toISOString(), node: process.version, VERSIONS, rows };
      if (options.report) {
        await mkdir(dirname(options.report), { recursive: true });
        await writeFile(options.report, `${JSON.stringify(report, undefined, 2)}\n`);
      }
      return report;
    } finally {
      await load.callers.stop();
      await load.vendors.stop();
    }
  },
};
