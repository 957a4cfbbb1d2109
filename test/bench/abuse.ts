import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createApiKey } from '../../src/store/api-keys.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createTeam } from '../../src/store/teams.ts';
import { installedServer, startPostgresServer } from '../support/postgres-server.ts';
import { ATTACKS } from './abuse/attacks.ts';
import { gapsOf } from './abuse/gaps.ts';
import { memoryOf, watchMemory } from './abuse/memory.ts';
import type { AttackersApi } from './abuse/messages.ts';
import { Stretches } from './abuse/stretches.ts';
import { Child } from './calls/child.ts';
import { startService } from './calls/loaded-service.ts';
import {
  connectCalls,
  measureSpan,
  type Parties,
  readInstants,
  type Span,
} from './calls/measure.ts';
import type { CallersApi, VendorsApi } from './calls/messages.ts';
import { counted, replyLatencies, tail } from './calls/summary.ts';
import type { Bench, BenchOptions } from './main.ts';

const CALLS = 50;
/** Of each attack; the window without any is as long as three. */
const SECONDS = 12;
const QUIET_WINDOWS = 3;
const SETTLE_SECONDS = 45;
/** After an attack, before the next one. */
const BETWEEN_MS = 2000;
const AFTER_MS = 60_000;
const GOALS = { gapMs: 60, addedReplyMs: 20, memoryPercent: 10 };
const HERE = import.meta.dirname;
const QUIET = 'none';

interface Fought {
  readonly attack: string;
  readonly span: Span;
  /** The longest that the service's main thread computed without a pause, CPU ms. */
  readonly stretchMs: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly attackersCpuMs: number;
}

const mib = (bytes: number) => Math.round(bytes / 2 ** 20);
const tenths = (ms: number) => Math.round(ms * 10) / 10;

/** A service with two teams: that of the calls, and another one, whose key is told. */
async function startTwoTeams(vendors: Child<VendorsApi>) {
  const bin = installedServer();
  if (!bin) throw new Error('the second team needs an installed Postgres server');
  const server = await startPostgresServer(bin);
  const folder = await mkdtemp(join(tmpdir(), 'parley-abuse-'));
  const log = await open(join(folder, 'log'), 'w');
  const stopServer = async () => {
    await server.stop();
    await log.close();
    await rm(folder, { recursive: true });
  };
  try {
    const databaseUrl = server.url('postgres');
    const stretches = new Stretches(join(folder, 'stretches'));
    const env = { DATABASE_URL: databaseUrl, MAX_LAG_MS: '10000', LOG_LEVEL: 'info' };
    const service = await startService(vendors, { ...env, ...stretches.env }, log.fd);
    const database = await openDatabase({ databaseUrl });
    const { id: teamId } = await createTeam(database.db, { name: 'Hostile' });
    const { key } = await createApiKey(database.db, { teamId, name: 'Theirs' });
    await database.close();
    const stop = async () => {
      await service.stop();
      await stopServer();
    };
    const logBytes = async () => (await log.stat()).size;
    return { service, key, stretches, logBytes, stop };
  } catch (error) {
    await stopServer();
    throw error;
  }
}

async function fight(
  parties: Parties,
  attackers: Child<AttackersApi>,
  stretches: Stretches,
  attack: string,
  seconds: number,
): Promise<Fought> {
  await stretches.longest();
  await attackers.ask('begin', attack);
  const span = await measureSpan(parties, () => delay(seconds * 1000));
  const { counts, cpuMs, failed } = await attackers.ask('end');
  if (failed) console.log(`${attack} broke off: ${failed}`);
  const stretchMs = await stretches.longest();
  await delay(BETWEEN_MS);
  return { attack, span, stretchMs, counts, attackersCpuMs: cpuMs };
}

/** All attacks in turn, beside calls that were measured without any before. */
async function round(options: BenchOptions, calls: number) {
  const vendors = new Child<VendorsApi>(join(HERE, 'calls/vendors.ts'));
  const callers = new Child<CallersApi>(join(HERE, 'calls/callers.ts'));
  const attackers = new Child<AttackersApi>(join(HERE, 'abuse/attackers.ts'));
  const { service, key, stretches, logBytes, stop } = await startTwoTeams(vendors);
  try {
    const { pid } = service.probe.process;
    if (pid === undefined) throw new Error('the service has no process');
    await attackers.ask('enlist', { url: service.client.url, key });
    const parties = { measured: service, callers, vendors };
    const seconds = options.seconds ?? SECONDS;
    const { connected, refused } = await connectCalls(parties, {
      calls,
      settleSeconds: options.settleSeconds ?? SETTLE_SECONDS,
      wires: ['carrier', 'web'],
      silent: false,
    });
    if (refused.length > 0) throw new Error(`only ${connected} calls: ${refused[0]}`);
    await stretches.longest();
    const quiet = await measureSpan(parties, () => delay(QUIET_WINDOWS * seconds * 1000));
    const stretchMs = await stretches.longest();
    const before = memoryOf(pid);
    const watch = watchMemory(pid);
    const fought: Fought[] = [
      { attack: QUIET, span: quiet, stretchMs, counts: {}, attackersCpuMs: 0 },
    ];
    // Some of them, where one is looked into.
    const wanted = process.env.ATTACKS?.split(',') ?? Object.keys(ATTACKS);
    for (const attack of wanted)
      fought.push(await fight(parties, attackers, stretches, attack, seconds));
    const worst = watch.stop();
    await delay(AFTER_MS);
    const after = memoryOf(pid);
    await service.probe.ask('read', { gc: true });
    const collected = memoryOf(pid);
    await callers.ask('hangup');
    const callIds = Object.assign({}, ...fought.map(({ span }) => span.callIds));
    const instants = await readInstants(service, { callIds, before: quiet.before });
    const told = fought.map((one) => describe(one, instants));
    console.table(told.map(({ latencies, gaps, counts, ...row }) => row));
    for (const { attack, counts } of told) if (attack !== QUIET) console.log(attack, counts);
    const [none, ...attacked] = told;
    const p99 = (rows: typeof told) => tail(rows.flatMap(({ latencies }) => latencies)).p99;
    const quietP99 = none ? p99([none]) : Number.NaN;
    return {
      gapMs: Math.max(...attacked.map((row) => row['worst gap'])),
      quietGapMs: none?.['worst gap'] ?? Number.NaN,
      stretchMs: Math.max(...attacked.map((row) => row['stretch, CPU'])),
      quietReplyMs: quietP99,
      addedReplyMs: tenths(p99(attacked) - quietP99),
      memoryMiB: [before, worst, after, collected].map(mib),
      memoryPercent: tenths((100 * after) / before - 100),
      logMiB: mib(await logBytes()),
      lost: counted(told.flatMap(({ lost }) => lost)),
      attackersCpuPercent: Math.round(
        attacked.reduce((sum, row) => sum + row['attackers’ CPU, %'], 0) / attacked.length,
      ),
      attacks: told.map(({ latencies, gaps, ...row }) => row),
    };
  } finally {
    await attackers.stop();
    await callers.stop();
    await stop();
    await vendors.stop();
  }
}

/** What one window showed, ms. */
function describe(
  { attack, span, stretchMs, counts, attackersCpuMs }: Fought,
  instants: Awaited<ReturnType<typeof readInstants>>,
) {
  const gaps = gapsOf(span, instants);
  const latencies = replyLatencies({ ...span, instants });
  const seconds = (span.after.atMs - span.before.atMs) / 1000;
  const cpu = span.after.cpuMs - span.before.cpuMs;
  const { p50, p99, max } = tail(latencies);
  return {
    attack,
    'worst gap': tenths(gaps[0] ?? 0),
    'gaps > 20': gaps.filter((ms) => ms > 20).length,
    'reply p50/p99/max': `${p50.toFixed(0)} / ${p99.toFixed(0)} / ${max.toFixed(0)}`,
    'answered of asked': `${latencies.length} / ${span.finals.length}`,
    'loop p99/max': `${span.after.loopDelayMs.p99.toFixed(0)} / ${span.after.loopDelayMs.max.toFixed(0)}`,
    'stretch, CPU': tenths(stretchMs),
    'callers late, max': tenths(tail(span.callersDelayMs).max),
    'service CPU, %': Math.round(cpu / seconds / 10),
    'attackers’ CPU, %': Math.round(attackersCpuMs / seconds / 10),
    'rss MiB': mib(span.after.rssBytes),
    lost: span.lines.flatMap(({ lost }) => (lost === undefined ? [] : [lost])),
    latencies,
    gaps,
    counts,
  };
}

export const bench: Bench = {
  about: 'a hostile team beside the calls of another, one attack after the other',
  async run(options) {
    const calls = options.calls?.[0] ?? CALLS;
    const rounds: Awaited<ReturnType<typeof round>>[] = [];
    while (rounds.length < options.rounds) {
      const one = await round(options, calls);
      const { attacks, ...figures } = one;
      console.log(figures);
      rounds.push(one);
    }
    const spread = (pick: (one: (typeof rounds)[number]) => number) => {
      const sorted = rounds.map(pick).sort((a, b) => a - b);
      const middle = sorted[(sorted.length - 1) >> 1];
      return sorted.length > 1 ? `${middle} (${sorted[0]} to ${sorted.at(-1)})` : `${middle}`;
    };
    console.table({
      'worst gap, ms': { goal: `<= ${GOALS.gapMs}`, middle: spread(({ gapMs }) => gapMs) },
      'computed without a pause, CPU ms': { middle: spread(({ stretchMs }) => stretchMs) },
      'gap without attack': { middle: spread(({ quietGapMs }) => quietGapMs) },
      'reply p99 added, ms': {
        goal: `<= ${GOALS.addedReplyMs}`,
        middle: spread(({ addedReplyMs }) => addedReplyMs),
      },
      'memory before, MiB': { middle: spread(({ memoryMiB }) => memoryMiB[0] as number) },
      'at the worst': { middle: spread(({ memoryMiB }) => memoryMiB[1] as number) },
      'a minute after, more by %': {
        goal: `<= ${GOALS.memoryPercent}`,
        middle: spread(({ memoryPercent }) => memoryPercent),
      },
      'collected, MiB': { middle: spread(({ memoryMiB }) => memoryMiB[3] as number) },
      'attackers’ CPU, %': { middle: spread(({ attackersCpuPercent }) => attackersCpuPercent) },
    });
    for (const { lost } of rounds) if (Object.keys(lost).length > 0) console.log('lost', lost);
    return { calls, rounds };
  },
};
