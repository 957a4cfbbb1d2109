import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createApiKey } from '../../../src/store/api-keys.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { createTeam } from '../../../src/store/teams.ts';
import { installedServer, startPostgresServer } from '../../support/postgres-server.ts';
import { startCallers } from '../calls/callers.ts';
import { Canaries } from '../calls/canaries.ts';
import { Child } from '../calls/child.ts';
import { startService } from '../calls/loaded-service.ts';
import {
  connectCalls,
  measureSpan,
  type Parties,
  readInstants,
  type Span,
} from '../calls/measure.ts';
import { pinThread, pinToOthers } from '../calls/pin.ts';
import { repliesOf, tail } from '../calls/summary.ts';
import { startVendors, type Vendors } from '../calls/vendors.ts';
import { type ProcessFigures, processTree } from '../process-tree.ts';
import { gapsOf } from './gaps.ts';
import { memoryOf, watchMemory } from './memory.ts';
import type { AttackersApi } from './messages.ts';
import { Stretches } from './stretches.ts';

export interface RoundOptions {
  readonly calls: number;
  readonly seconds: number;
  readonly settleSeconds: number;
  readonly attacks: readonly string[];
  /** The service's thread of the calls on one core, all that is not the service on the rest. */
  readonly oneCore: boolean;
}

/** What one window showed. */
export interface AbuseWindow {
  /** {@link QUIET}: there was none. */
  readonly attack: string;
  /** Pauses within replies, ms, the longest first. */
  readonly gaps: readonly number[];
  /** Latency of each reply, ms. */
  readonly latencies: readonly number[];
  /** The same without the time in which the bench's own processes or the machine stood still. */
  readonly ownLatencies: readonly number[];
  readonly asked: number;
  /** The longest that the service's main thread computed without a pause, CPU ms; 0: none that was worth noting. */
  readonly stretchMs: number;
  readonly loopP99Ms: number;
  readonly callersLateMs: number;
  readonly serviceCpuPercent: number;
  readonly attackersCpuPercent: number;
  readonly rssMib: number;
  readonly lost: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

export interface AbuseRound {
  readonly windows: readonly AbuseWindow[];
  /** What the service and its processes hold, MiB. */
  readonly memoryMib: {
    readonly before: number;
    readonly worst: number;
    /** A minute after the last attack. */
    readonly after: number;
    /** The same after a collection. */
    readonly collected: number;
  };
  /** The service's processes a minute after. */
  readonly processes: readonly ProcessFigures[];
  readonly logMib: number;
}

export const QUIET = 'none';
/** The window before the attacks is as long as so many of theirs. */
const QUIET_WINDOWS = 3;
/** After an attack, before the next one. */
const BETWEEN_MS = 2000;
const AFTER_MS = 60_000;
/** Of that minute, at its end, also measured as a window without an attack. */
const QUIET_AFTER_MS = 45_000;
const HERE = import.meta.dirname;

const mib = (bytes: number) => Math.round(bytes / 2 ** 20);

/** A service with two teams: that of the calls, and another one, whose key is told. */
async function startTwoTeams(vendors: Vendors, oneCore: boolean) {
  const bin = installedServer();
  if (!bin) throw new Error('the second team needs an installed Postgres server');
  const server = await startPostgresServer(bin);
  // Its connections are processes that it starts, which take its place over.
  if (oneCore) await pinToOthers(server.pid);
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

interface Measured {
  readonly attack: string;
  readonly span: Span;
  readonly stretchMs: number;
  readonly counts?: Readonly<Record<string, number>>;
  readonly attackersCpuMs?: number;
}

/** All attacks in turn, between two windows without any, beside calls that talk all the time. */
export async function runRound(options: RoundOptions): Promise<AbuseRound> {
  const vendors = await startVendors();
  const callers = await startCallers();
  const attackers = new Child<AttackersApi>(join(HERE, 'attackers.ts'));
  const canaries = await Canaries.start();
  const { service, key, stretches, logBytes, stop } = await startTwoTeams(vendors, options.oneCore);
  try {
    const { pid } = service.probe.process;
    if (pid === undefined) throw new Error('the service has no process');
    if (options.oneCore) {
      for (const { process } of [vendors, callers, attackers]) await pinToOthers(process.pid);
      // Woken by these, it would move to their core: on another machine they could not draw it there.
      await pinThread(pid);
    }
    await service.probe.ask('age');
    await attackers.ask('enlist', { url: service.client.url, key });
    const parties: Parties = { measured: service, callers, vendors, canaries };
    const { calls, seconds, settleSeconds } = options;
    const wires = ['carrier', 'web'] as const;
    const load = { calls, settleSeconds, wires, silent: false };
    const { connected, refused } = await connectCalls(parties, load);
    if (refused.length > 0) throw new Error(`only ${connected} calls: ${refused[0]}`);
    const quiet = async (ms: number): Promise<Measured> => {
      await stretches.longest();
      const span = await measureSpan(parties, () => delay(ms));
      return { attack: QUIET, span, stretchMs: await stretches.longest() };
    };
    const fight = async (attack: string): Promise<Measured> => {
      await stretches.longest();
      await attackers.ask('begin', attack);
      const span = await measureSpan(parties, () => delay(seconds * 1000));
      const { counts, cpuMs, failed } = await attackers.ask('end');
      if (failed) console.log(`${attack} broke off: ${failed}`);
      const stretchMs = await stretches.longest();
      return { attack, span, stretchMs, counts, attackersCpuMs: cpuMs };
    };
    const measured = [await quiet(QUIET_WINDOWS * seconds * 1000)];
    const before = memoryOf(pid);
    const watch = watchMemory(pid);
    for (const attack of options.attacks) {
      measured.push(attack === QUIET ? await quiet(seconds * 1000) : await fight(attack));
      await delay(BETWEEN_MS);
    }
    const worst = watch.stop();
    await delay(AFTER_MS - QUIET_AFTER_MS);
    measured.push(await quiet(QUIET_AFTER_MS));
    const after = memoryOf(pid);
    const processes = processTree(pid);
    await service.probe.ask('read', { gc: true });
    const collected = memoryOf(pid);
    await callers.ask('hangup');
    const callIds = Object.assign({}, ...measured.map(({ span }) => span.callIds));
    const instants = await readInstants(service, {
      callIds,
      before: (measured[0] as Measured).span.before,
    });
    return {
      windows: measured.map((one) => windowOf(one, instants)),
      memoryMib: {
        before: mib(before),
        worst: mib(worst),
        after: mib(after),
        collected: mib(collected),
      },
      processes,
      logMib: mib(await logBytes()),
    };
  } finally {
    await canaries.stop();
    await attackers.stop();
    await callers.stop();
    await stop();
    await vendors.stop();
  }
}

function windowOf(
  { attack, span, stretchMs, counts = {}, attackersCpuMs = 0 }: Measured,
  instants: Awaited<ReturnType<typeof readInstants>>,
): AbuseWindow {
  const seconds = (span.after.atMs - span.before.atMs) / 1000;
  const replies = repliesOf({ ...span, instants });
  const percent = (cpuMs: number) => Math.round(cpuMs / seconds / 10);
  return {
    attack,
    gaps: gapsOf(span, instants),
    latencies: replies.map(({ latencyMs }) => latencyMs),
    ownLatencies: replies.map(({ latencyMs, standstillMs }) => latencyMs - standstillMs),
    asked: span.finals.length,
    stretchMs,
    loopP99Ms: span.after.loopDelayMs.p99,
    callersLateMs: tail(span.callersDelayMs).max,
    serviceCpuPercent: percent(span.after.cpuMs - span.before.cpuMs),
    attackersCpuPercent: percent(attackersCpuMs),
    rssMib: mib(span.after.rssBytes),
    lost: span.lines.flatMap(({ lost }) => (lost === undefined ? [] : [lost])),
    counts,
  };
}
