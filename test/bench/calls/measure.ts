import { setTimeout as delay } from 'node:timers/promises';
import { type CallInstants, instantsOf } from './call-instants.ts';
import type { Child } from './child.ts';
import type { Measured } from './loaded-service.ts';
import type {
  CallersApi,
  LineReport,
  Reading,
  Target,
  VendorsApi,
  WantedProfile,
} from './messages.ts';

/** What one window of a load showed. */
export interface Window {
  readonly calls: number;
  readonly seconds: number;
  readonly cpuMsPerCallSecond: number;
  readonly mainThreadMsPerCallSecond: number;
  /** By the name of the thread, the main one's among them. */
  readonly threadsMsPerCallSecond: Readonly<Record<string, number>>;
  readonly before: Reading;
  readonly idle: Reading;
  readonly after: Reading;
  /** After everything unused was let go. */
  readonly talking: Reading;
  readonly lines: readonly LineReport[];
  readonly callersDelayMs: readonly number[];
  readonly finals: Awaited<ReturnType<VendorsApi['report']>>['finals'];
  /** By party. */
  readonly instants: Readonly<Record<string, CallInstants>>;
  readonly refused: readonly string[];
}

export interface Load {
  readonly calls: number;
  readonly seconds: number;
  readonly settleSeconds: number;
  readonly wires: Target['wires'];
  readonly silent: boolean;
  /** Where the measured window's profile goes. */
  readonly profile?: WantedProfile;
}

/** Connects the calls, lets them settle, measures a window, hangs up. */
export async function measureLoad(
  measured: Measured,
  callers: Child<CallersApi>,
  vendors: Child<VendorsApi>,
  load: Load,
): Promise<Window> {
  const { probe, target } = measured;
  const { calls, wires, silent } = load;
  const idle = await probe.ask('read', { gc: true });
  const { connected, refused } = await callers.ask('connect', { ...target, calls, wires, silent });
  if (connected === 0) throw new Error(`no call was answered: ${refused[0]}`);
  await delay(load.settleSeconds * 1000);
  if (load.profile) await probe.ask('startProfile', load.profile);
  await callers.ask('reset');
  await vendors.ask('reset');
  const before = await probe.ask('read', { gc: false });
  await delay(load.seconds * 1000);
  const { lines, ownDelayMs } = await callers.ask('report');
  const after = await probe.ask('read', { gc: false });
  // Only now: a collection that is forced changes what those after it cost.
  const talking = await probe.ask('read', { gc: true });
  const { finals, callIds } = await vendors.ask('report');
  if (load.profile) await probe.ask('stopProfile', load.profile);
  await callers.ask('hangup');
  const instants: Record<string, CallInstants> = {};
  for (const [party, id] of Object.entries(measured.client ? callIds : {}))
    instants[party] = instantsOf(
      (await measured.client?.getEvents(id)) ?? '',
      before.clockOffsetMs,
    );
  const callSeconds = ((after.atMs - before.atMs) / 1000) * connected;
  return {
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
    before,
    idle,
    after,
    talking,
    lines,
    callersDelayMs: ownDelayMs,
    finals,
    instants,
    refused,
  };
}
