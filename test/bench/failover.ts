import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { childrenOf, journalOf } from '../support/failover.ts';
import { installedServer, startPostgresServer } from '../support/postgres-server.ts';
import { comeBack, controlOf } from '../support/returning-call.ts';
import { dial, type ServiceCall } from '../support/service-call.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { startVendors } from './calls/vendors.ts';
import type { Bench, BenchOptions } from './main.ts';
import { writeMeasured } from './measured.ts';
import { processTree } from './process-tree.ts';
import { quantiles } from './quantiles.ts';
import { Random } from './turns/random.ts';
import { WRITING_CALLS, writeAhead } from './write-ahead.ts';

const CALLS = 100;
const DIALLED_AT_ONCE = 10;
/** Louder than what a voice leaves between two words. */
const SOUND_LEVEL = 100;
const WINDOW_MS = 10;
/** Before the loss of a socket, and after the return, in which a silence belongs to it. */
const BEFORE_MS = 300;
const SETTLED_MS = 1000;
/** The process is killed within so long after all callers hear the assistant, whose text takes longer. */
const KILL_WITHIN_MS = 4000;
const GAVE_UP_MS = 20_000;
const LOAD_MS = 4000;
/** A call whose process is replaced may come to one that is replaced next. */
const MOST_LOSSES = 4;
/** Two minutes in the vendor's voice, which never pauses. */
const TEXT = Array.from(
  { length: 45 },
  (_, i) => `Shelf ${i + 1} has books on gardens and the sea.`,
).join(' ');

interface Lost {
  readonly call: ServiceCall;
  /** On the caller's clock. */
  readonly atMs: number;
  /** When the call went on, on the same clock; undefined if it did not. */
  readonly back: Promise<number | undefined>;
}

/** Reconnects callers as clients do, and keeps when their sockets were lost. */
function follow(calls: readonly ServiceCall[]): Lost[] {
  const lost: Lost[] = [];
  const watch = (call: ServiceCall): void =>
    void call.caller.ended.then(({ reason }) => {
      if (reason !== undefined || lost.length >= MOST_LOSSES * calls.length) return;
      const back = comeBack(call).then(
        () => {
          watch(call);
          return call.caller.elapsedMs;
        },
        () => undefined,
      );
      lost.push({ call, atMs: call.caller.elapsedMs, back });
    });
  for (const call of calls) watch(call);
  return lost;
}

function soundsIn({ caller: { tracks, sampleRateHz } }: ServiceCall, atMs: number): boolean {
  const from = Math.round((atMs * sampleRateHz) / 1000);
  const samples = tracks.speaker.read(from, from + (WINDOW_MS * sampleRateHz) / 1000);
  return samples.some((sample) => Math.abs(sample) >= SOUND_LEVEL);
}

/**
 * The longest time for which a caller heard nothing from shortly before the socket was lost until the call went on; undefined
 * while that is not known yet. What was sent ahead sounds on after the loss, so a silence may begin later.
 */
function silenceAround(call: ServiceCall, lostMs: number, backMs: number): number | undefined {
  const untilMs = backMs + SETTLED_MS;
  let [longest, current] = [0, 0];
  for (
    let at = windowAt(lostMs - BEFORE_MS);
    at < call.caller.elapsedMs - WINDOW_MS;
    at += WINDOW_MS
  ) {
    current = soundsIn(call, at) ? 0 : current + WINDOW_MS;
    longest = Math.max(longest, current);
    if (at >= untilMs && current === 0) return longest;
  }
  return undefined;
}

const windowAt = (ms: number) => Math.max(0, Math.floor(ms / WINDOW_MS) * WINDOW_MS);

/** The longest time for which the caller has heard nothing since an instant, ms. */
function longestSilence(call: ServiceCall, fromMs: number): number {
  let [longest, current] = [0, 0];
  for (let at = fromMs; at < call.caller.elapsedMs - 2 * WINDOW_MS; at += WINDOW_MS) {
    current = soundsIn(call, at) ? 0 : current + WINDOW_MS;
    longest = Math.max(longest, current);
  }
  return longest;
}

async function dialAll(service: ServiceProcess, assistantId: string, count: number) {
  const calls: ServiceCall[] = [];
  while (calls.length < count) {
    const some = Math.min(DIALLED_AT_ONCE, count - calls.length);
    calls.push(
      ...(await Promise.all(Array.from({ length: some }, () => dial(service, { assistantId })))),
    );
  }
  return calls;
}

async function hearAll(calls: readonly ServiceCall[]): Promise<void> {
  const until = performance.now() + GAVE_UP_MS;
  const hears = (call: ServiceCall) => soundsIn(call, call.caller.elapsedMs - 5 * WINDOW_MS);
  for (const call of calls)
    while (!hears(call)) {
      if (performance.now() > until) throw new Error('a caller hears nothing');
      await delay(WINDOW_MS);
    }
}

const cpuOf = (root: number, pid: number) =>
  processTree(root).find((one) => one.pid === pid)?.cpuMs ?? Number.NaN;

/** Share of a core that a process uses, while the time goes on. */
async function loadOf(root: number, pid: number): Promise<number> {
  const [before, startedAt] = [cpuOf(root, pid), performance.now()];
  await delay(LOAD_MS);
  return (cpuOf(root, pid) - before) / (performance.now() - startedAt);
}

interface Round {
  readonly affected: number;
  readonly wentOn: number;
  /** Silences that callers heard. */
  readonly gapsMs: readonly number[];
  /** For how long no process had the call, by its journal. */
  readonly awayMs: readonly number[];
}

/** What became of calls whose socket was lost, once all of them were heard again or given up. */
async function outcome(service: ServiceProcess, lost: readonly Lost[]): Promise<Round> {
  const gapsMs: number[] = [];
  const awayMs: number[] = [];
  const counted = new Set<string>();
  let wentOn = 0;
  for (const { call, atMs, back } of lost) {
    const backMs = await back;
    if (backMs === undefined) continue;
    const until = atMs + GAVE_UP_MS;
    let gapMs = silenceAround(call, atMs, backMs);
    while (gapMs === undefined && call.caller.elapsedMs < until) {
      await delay(50);
      gapMs = silenceAround(call, atMs, backMs);
    }
    if (gapMs === undefined) continue;
    wentOn++;
    gapsMs.push(gapMs);
    if (counted.has(call.id)) continue;
    counted.add(call.id);
    for (const { type, data } of await journalOf(service, call))
      if (type === 'call.resumed') awayMs.push(Number(data.gapMs));
  }
  return { affected: lost.length, wentOn, gapsMs, awayMs };
}

/** Waits until so many processes were started anew and take calls. */
async function areBack(service: ServiceProcess, count: number): Promise<void> {
  const back = () => service.output.split('a process of the service is back').length - 1;
  while (back() < count) await delay(50);
}

async function endAll(service: ServiceProcess, calls: readonly ServiceCall[]): Promise<void> {
  await Promise.all(
    calls.map(async (call) => {
      await controlOf(service, call, { type: 'end' }).catch(() => undefined);
      call.caller.close();
    }),
  );
}

async function measure({ seed, rounds, calls: [count = CALLS] = [] }: BenchOptions) {
  const bin = installedServer();
  if (!bin) throw new Error('this bench needs a Postgres server in /usr/lib/postgresql');
  const chance = new Random(seed);
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-failover-'));
  const server = await startPostgresServer(bin, { syncs: true });
  const vendors = await startVendors();
  const vendorUrls = await vendors.ask('urls');
  const service = await ServiceProcess.start(folder, {
    ...{ DATABASE_URL: server.url('postgres'), PROCESSES: '2', LOG_LEVEL: 'info' },
    ...{ MAX_CALLS: String(2 * count), DRAIN: 'handover', DRAIN_SECONDS: '20' },
    ...{ ALLOW_PRIVATE_TARGETS: 'true', DEEPGRAM_API_KEY: 'k', CARTESIA_API_KEY: 'k' },
    ...{ DEEPGRAM_BASE_URL: vendorUrls.stt, CARTESIA_BASE_URL: vendorUrls.tts },
    ...{ DEEPGRAM_CONCURRENCY: '5000', CARTESIA_CONCURRENCY: '5000' },
  });
  const kills: Round[] = [];
  const replacements: Round[] = [];
  const loads: { readonly before: number; readonly after: number }[] = [];
  const pauses: number[] = [];
  let replaced = 0;
  try {
    const { _id: assistantId } = await service.json<{ _id: string }>('/assistants/v1/assistants', {
      method: 'POST',
      body: {
        name: 'Library',
        welcomeMessage: TEXT,
        ttsCacheEnabled: false,
        config: { speech: { stt: { vendor: 'deepgram' }, ttsData: [{ vendor: 'cartesia' }] } },
      },
    });
    for (let round = 0; round < rounds; round++) {
      for (const how of ['killed', 'replaced'] as const) {
        const calls = await dialAll(service, assistantId, count);
        await hearAll(calls);
        const soundingFrom = new Map(calls.map((call) => [call, call.caller.elapsedMs]));
        const lost = follow(calls);
        const workers = await childrenOf(service.pid);
        const victim = chance.pick(workers);
        const survivor = workers.find((pid) => pid !== victim) as number;
        const before = how === 'killed' ? await loadOf(service.pid, survivor) : 0;
        await delay(chance.int(0, KILL_WITHIN_MS));
        if (how === 'killed') {
          process.kill(victim, 'SIGKILL');
          loads.push({ before, after: await loadOf(service.pid, survivor) });
          replaced++;
        } else {
          process.kill(service.pid, 'SIGUSR2');
          replaced += workers.length;
        }
        await areBack(service, replaced);
        (how === 'killed' ? kills : replacements).push(await outcome(service, lost));
        const stayed = calls.filter((call) => !lost.some((one) => one.call === call));
        for (const call of stayed) pauses.push(longestSilence(call, soundingFrom.get(call) ?? 0));
        await endAll(service, calls);
        const { wentOn, affected, gapsMs } = (how === 'killed' ? kills : replacements).at(
          -1,
        ) as Round;
        console.log(
          `round ${round + 1}: ${how}: ${wentOn} of ${affected} calls went on, after ${quantilesOf(gapsMs)} ms (p50, p95, longest)`,
        );
      }
    }
  } finally {
    await service.stop();
    await vendors.stop();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return { count, kills, replacements, loads, pauses };
}

const percent = (share: number) => `${Math.round(share * 1000) / 10} %`;

function quantilesOf(values: readonly number[]): string {
  const { p50, p95, max } = quantiles(values);
  return `${p50}, ${p95}, ${max}`;
}

function wentOn(rounds: readonly Round[]): string {
  const sum = (read: (round: Round) => number) => rounds.reduce((all, one) => all + read(one), 0);
  const affected = sum((round) => round.affected);
  return `${sum((round) => round.wentOn)} of ${affected}`;
}

export const bench: Bench = {
  about:
    'calls on two processes, one of which is killed or replaced: who goes on, and after what silence',
  async run(options) {
    const { count, kills, replacements, loads, pauses } = await measure(options);
    const bin = installedServer() as string;
    const server = await startPostgresServer(bin, { syncs: true });
    const { without, ahead, waitedMs, commitMs } = await writeAhead(server.url('postgres')).finally(
      () => server.stop(),
    );
    const mean = (values: readonly number[]) =>
      values.reduce((sum, value) => sum + value, 0) / values.length;
    const [waited, commits] = [quantiles(waitedMs), quantiles(commitMs)];
    const table = [
      `| ${count} web calls on two processes, ${options.rounds} rounds | | Goal |`,
      '|---|---|---|',
      `| One killed: of its calls went on | ${wentOn(kills)} | all |`,
      `| Silence around the kill, ms: p50, p95, longest | ${quantilesOf(kills.flatMap(({ gapsMs }) => gapsMs))} | 1000, 2000 |`,
      `| Of it without a process, ms | ${quantilesOf(kills.flatMap(({ awayMs }) => awayMs))} | |`,
      `| Both replaced, one after the other: went on | ${wentOn(replacements)} | all |`,
      `| Silence around each move, ms: p50, p95, longest | ${quantilesOf(replacements.flatMap(({ gapsMs }) => gapsMs))} | longest 500 |`,
      `| Of it without a process, ms | ${quantilesOf(replacements.flatMap(({ awayMs }) => awayMs))} | |`,
      `| Longest silence of each call that stayed where it was, ms: p50, p95, longest | ${quantilesOf(pauses)} | |`,
      `| Load of the survivor before the kill and in the ${LOAD_MS / 1000} s after it, of a core | ${percent(mean(loads.map((load) => load.before)))}, ${percent(mean(loads.map((load) => load.after)))} | |`,
      `| An effect waits for its line, ms: p50, p99 | ${waited.p50}, ${waited.p99} | 5 |`,
      `| A transaction of one small row takes meanwhile, ms: p50, p99 | ${commits.p50}, ${commits.p99} | |`,
      `| Writing the journals of ${WRITING_CALLS} calls, of a core: without effects, with one of each every 15 s | ${percent(without)}, ${percent(ahead)} | 5 % of a core more |`,
    ].join('\n');
    console.log(table);
    if (options.write) await writeMeasured('docs/scale.md', 'failover', table);
    return { kills, replacements, loads, pauses, without, ahead, waited, commits };
  },
};
