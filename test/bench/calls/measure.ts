import { setTimeout as delay } from 'node:timers/promises';
import { type CallInstants, instantsOf } from './call-instants.ts';
import type { Callers } from './callers.ts';
import type { Canaries } from './canaries.ts';
import { type CoreByCore, watchEachCore } from './core-by-core.ts';
import { type CoreShares, type Memory, memoryOf, watchCores } from './core-shares.ts';
import type { Measured } from './loaded-service.ts';
import type {
  Gap,
  Held,
  LineReport,
  LoopTurns,
  Reading,
  Target,
  VendorsApi,
  WantedProfile,
} from './messages.ts';
import type { Vendors } from './vendors.ts';

/** What the calls went through from one instant to another. */
export interface Span {
  readonly before: Reading;
  readonly after: Reading;
  readonly lines: readonly LineReport[];
  readonly callersDelayMs: readonly number[];
  /** Where the callers' own process stood still. */
  readonly callersGaps: readonly Gap[];
  readonly vendorsGaps: readonly Gap[];
  /** Where a core was lost to others outside this machine. */
  readonly machineGaps: readonly Gap[];
  readonly finals: Awaited<ReturnType<VendorsApi['report']>>['finals'];
  /** The call of each party that asked anything. */
  readonly callIds: Readonly<Record<string, string>>;
}

/** What one window of a load showed. */
export interface Window extends Span {
  readonly calls: number;
  readonly seconds: number;
  readonly cpuMsPerCallSecond: number;
  readonly mainThreadMsPerCallSecond: number;
  /** By the name of the thread, the main one's among them. */
  readonly threadsMsPerCallSecond: Readonly<Record<string, number>>;
  readonly cores: CoreShares;
  readonly coreByCore: CoreByCore;
  readonly idle: Reading;
  /** As soon as all calls talk. */
  readonly begun: Reading;
  /** Of all processes of the service, its database apart, with the calls and before them. */
  readonly memory: Memory;
  readonly idleMemory: Memory;
  /** After everything unused was let go. */
  readonly talking: Reading;
  /** By party. */
  readonly instants: Readonly<Record<string, CallInstants>>;
  readonly refused: readonly string[];
  /** Empty where no trace was asked for. */
  readonly held: readonly Held[];
  readonly turns?: LoopTurns;
  /** By party. */
  readonly journals: ReadonlyMap<string, string>;
}

interface Calls {
  readonly calls: number;
  readonly settleSeconds: number;
  readonly wires: Target['wires'];
  readonly silent: boolean;
}

export interface Load extends Calls {
  readonly seconds: number;
  /** Where the measured window's profile goes. */
  readonly profile?: WantedProfile;
  /** Notes what held the thread of the calls. */
  readonly trace?: boolean;
  /** Notes every turn of the loop of a service of one process. */
  readonly turns?: boolean;
  /** Asked after the window, while the calls still talk. */
  readonly lastly?: () => Promise<void>;
}

export interface Parties {
  readonly measured: Measured;
  readonly callers: Callers;
  readonly vendors: Vendors;
  readonly canaries: Canaries;
}

/** Connects the calls and lets them settle. */
export async function connectCalls(
  { measured, callers }: Parties,
  { calls, wires, silent, settleSeconds }: Calls,
) {
  const idle = await measured.read({ gc: true });
  const asked = { ...measured.target, calls, wires, silent };
  const { connected, refused } = await callers.ask('connect', asked);
  if (connected === 0) throw new Error(`no call was answered: ${refused[0]}`);
  const begun = await measured.read({ gc: false });
  await delay(settleSeconds * 1000);
  return { idle, begun, connected, refused };
}

/** Measures the connected calls while something goes on. */
export async function measureSpan(
  { measured, callers, vendors, canaries }: Parties,
  meanwhile: () => Promise<unknown>,
): Promise<Span> {
  await callers.ask('reset');
  await vendors.ask('reset');
  await canaries.reset();
  const before = await measured.read({ gc: false });
  await meanwhile();
  const { lines, ownDelayMs: callersDelayMs, ownGaps: callersGaps } = await callers.ask('report');
  const after = await measured.read({ gc: false });
  const { finals, callIds, ownGaps: vendorsGaps } = await vendors.ask('report');
  const machineGaps = await canaries.report();
  const gaps = { callersGaps, vendorsGaps, machineGaps };
  return { before, after, lines, callersDelayMs, ...gaps, finals, callIds };
}

/** What the journals of calls that are over say of their instants, by party. */
export async function readInstants(
  { client }: Measured,
  { callIds, before }: Pick<Span, 'callIds' | 'before'>,
  journals: Map<string, string> = new Map(),
): Promise<Record<string, CallInstants>> {
  const instants: Record<string, CallInstants> = {};
  for (const [party, id] of Object.entries(client ? callIds : {})) {
    const journal = (await client?.getEvents(id)) ?? '';
    journals.set(party, journal);
    instants[party] = instantsOf(journal, before.clockOffsetMs);
  }
  return instants;
}

/** Connects the calls, lets them settle, measures a window, hangs up. */
export async function measureLoad(parties: Parties, load: Load): Promise<Window> {
  const { measured, callers, vendors } = parties;
  const { probe } = measured;
  const idleMemory = memoryOf(probe.process.pid);
  const { idle, begun, connected, refused } = await connectCalls(parties, load);
  if (load.profile) await probe.ask('startProfile', load.profile);
  if (load.trace) await probe.ask('startTrace');
  if (load.turns) await probe.ask('startTurns');
  const pids = {
    service: probe.process.pid,
    callers: callers.process.pid,
    vendors: vendors.process.pid,
  };
  const sharesOf = watchCores(pids);
  const sharesOfEach = watchEachCore(pids);
  const span = await measureSpan(parties, () => delay(load.seconds * 1000));
  const cores = sharesOf();
  const coreByCore = sharesOfEach();
  const { before, after } = span;
  const held = load.trace ? await probe.ask('stopTrace') : [];
  const turns = load.turns ? await probe.ask('stopTurns') : undefined;
  // Only now: a collection that is forced changes what those after it cost.
  const talking = await measured.read({ gc: true });
  const memory = memoryOf(probe.process.pid);
  await load.lastly?.();
  if (load.profile) await probe.ask('stopProfile', load.profile);
  await callers.ask('hangup');
  const journals = new Map<string, string>();
  const callSeconds = ((after.atMs - before.atMs) / 1000) * connected;
  return {
    ...span,
    calls: connected,
    seconds: (after.atMs - before.atMs) / 1000,
    cpuMsPerCallSecond: (after.cpuMs - before.cpuMs) / callSeconds,
    mainThreadMsPerCallSecond: (after.mainThreadCpuMs - before.mainThreadCpuMs) / callSeconds,
    threadsMsPerCallSecond: Object.fromEntries(
      Object.entries(after.threadsCpuMs).map(([name, ms]) => [
        name,
        (ms - (before.threadsCpuMs[name] ?? 0)) / callSeconds,
      ]),
    ),
    cores,
    coreByCore,
    idle,
    begun,
    talking,
    memory,
    idleMemory,
    journals,
    instants: await readInstants(measured, span, journals),
    refused,
    held,
    ...(turns ? { turns } : {}),
  };
}
