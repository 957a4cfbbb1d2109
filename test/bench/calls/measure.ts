import { setTimeout as delay } from 'node:timers/promises';
import { type CallInstants, instantsOf } from './call-instants.ts';
import type { Child } from './child.ts';
import { type CoreShares, watchCores } from './core-shares.ts';
import type { Gap } from './far-end-gauge.ts';
import type { Measured } from './loaded-service.ts';
import type {
  CallersApi,
  LineReport,
  Reading,
  Target,
  VendorsApi,
  WantedProfile,
} from './messages.ts';

/** What the calls went through from one instant to another. */
export interface Span {
  readonly before: Reading;
  readonly after: Reading;
  readonly lines: readonly LineReport[];
  readonly callersDelayMs: readonly number[];
  /** Where the callers' own process stood still. */
  readonly callersGaps: readonly Gap[];
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
  readonly idle: Reading;
  /** After everything unused was let go. */
  readonly talking: Reading;
  /** By party. */
  readonly instants: Readonly<Record<string, CallInstants>>;
  readonly refused: readonly string[];
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
}

export interface Parties {
  readonly measured: Measured;
  readonly callers: Child<CallersApi>;
  readonly vendors: Child<VendorsApi>;
}

/** Connects the calls and lets them settle. */
export async function connectCalls(
  { measured: { probe, target }, callers }: Parties,
  { calls, wires, silent, settleSeconds }: Calls,
) {
  const idle = await probe.ask('read', { gc: true });
  const { connected, refused } = await callers.ask('connect', { ...target, calls, wires, silent });
  if (connected === 0) throw new Error(`no call was answered: ${refused[0]}`);
  await delay(settleSeconds * 1000);
  return { idle, connected, refused };
}

/** Measures the connected calls while something goes on. */
export async function measureSpan(
  { measured: { probe }, callers, vendors }: Parties,
  meanwhile: () => Promise<unknown>,
): Promise<Span> {
  await callers.ask('reset');
  await vendors.ask('reset');
  const before = await probe.ask('read', { gc: false });
  await meanwhile();
  const { lines, ownDelayMs: callersDelayMs, ownGaps: callersGaps } = await callers.ask('report');
  const after = await probe.ask('read', { gc: false });
  const { finals, callIds } = await vendors.ask('report');
  return { before, after, lines, callersDelayMs, callersGaps, finals, callIds };
}

/** What the journals of calls that are over say of their instants, by party. */
export async function readInstants(
  { client }: Measured,
  { callIds, before }: Pick<Span, 'callIds' | 'before'>,
): Promise<Record<string, CallInstants>> {
  const instants: Record<string, CallInstants> = {};
  for (const [party, id] of Object.entries(client ? callIds : {}))
    instants[party] = instantsOf((await client?.getEvents(id)) ?? '', before.clockOffsetMs);
  return instants;
}

/** Connects the calls, lets them settle, measures a window, hangs up. */
export async function measureLoad(
  measured: Measured,
  callers: Child<CallersApi>,
  vendors: Child<VendorsApi>,
  load: Load,
): Promise<Window> {
  const { probe } = measured;
  const parties = { measured, callers, vendors };
  const { idle, connected, refused } = await connectCalls(parties, load);
  if (load.profile) await probe.ask('startProfile', load.profile);
  const sharesOf = watchCores({
    service: probe.process.pid,
    load: [callers.process.pid, vendors.process.pid],
  });
  const span = await measureSpan(parties, () => delay(load.seconds * 1000));
  const cores = sharesOf();
  const { before, after } = span;
  // Only now: a collection that is forced changes what those after it cost.
  const talking = await probe.ask('read', { gc: true });
  if (load.profile) await probe.ask('stopProfile', load.profile);
  await callers.ask('hangup');
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
    idle,
    talking,
    instants: await readInstants(measured, span),
    refused,
  };
}
