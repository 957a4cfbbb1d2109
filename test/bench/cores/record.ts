import { type LoadProcesses, withLoadProcesses } from '../calls/load-processes.ts';
import { startService } from '../calls/loaded-service.ts';
import { measureLoad, type Window } from '../calls/measure.ts';
import { pinService, pinToOthers } from '../calls/pin.ts';
import { summarize } from '../calls/summary.ts';
import { arrivalsOf, type Recording, threadMsPerCallSecond } from './recording.ts';

const SECONDS = 40;
const SETTLE_SECONDS = 45;

interface Wanted {
  readonly calls: readonly number[];
  readonly rounds: number;
  readonly seconds?: number;
  readonly settleSeconds?: number;
}

/** Records one process at each number of calls, its thread alone on a core, as often as is asked for. */
export function record({ calls, rounds, seconds, settleSeconds }: Wanted) {
  return withLoadProcesses(async (load) => {
    const recordings: Recording[] = [];
    for (const { process } of [load.vendors, load.callers]) await pinToOthers(process.pid);
    for (const count of calls)
      for (let round = 0; round < rounds; round++) {
        const spans = {
          seconds: seconds ?? SECONDS,
          settleSeconds: settleSeconds ?? SETTLE_SECONDS,
        };
        recordings.push(recordingOf(await recordOnce(load, { calls: count, ...spans })));
        console.table(recordings.map(row));
      }
    return recordings;
  });
}

async function recordOnce(
  load: LoadProcesses,
  wanted: { readonly calls: number; readonly seconds: number; readonly settleSeconds: number },
): Promise<Window> {
  // All calls are taken, however late that makes them.
  const service = await startService(load.vendors, { MAX_LAG_MS: '10000' });
  try {
    await pinService(service.probe.process.pid);
    const what = { ...wanted, wires: ['carrier', 'web'], silent: false, turns: true } as const;
    return await measureLoad({ measured: service, ...load }, what);
  } finally {
    await service.stop();
  }
}

function recordingOf(window: Window): Recording {
  const { turns, idle, begun, calls } = window;
  if (!turns) throw new Error('the turns of the loop were not noted');
  const { replyMs, replyOwnMs, cores } = summarize(window);
  if (replyMs.n === 0) throw new Error(`no reply was heard in ${calls} calls`);
  const beginningSeconds = (begun.atMs - idle.atMs) / 1000;
  // Half of the calls talked while the others began, on average.
  const talkedMs = (window.mainThreadMsPerCallSecond * calls * beginningSeconds) / 2;
  const begunMs = begun.mainThreadCpuMs - idle.mainThreadCpuMs - talkedMs;
  const { endedAt } = turns;
  return {
    calls,
    seconds: ((endedAt.at(-1) ?? 0) - (endedAt[0] ?? 0)) / 1000,
    ...arrivalsOf(turns),
    collectionsMs: turns.collections.map(({ ms }) => ms),
    threadCpuMsPerCallSecond: window.mainThreadMsPerCallSecond,
    helpersMsPerCallSecond: window.cpuMsPerCallSecond - window.mainThreadMsPerCallSecond,
    databaseMsPerCallSecond: (10 * cores.database) / calls,
    startMs: Math.max(0, begunMs / calls),
    measured: { replies: replyMs.n, replyMs, replyOwnMs },
  };
}

function row(one: Recording) {
  const { workMs, collectionsMs, measured } = one;
  const round = (value: number) => Math.round(value * 100) / 100;
  return {
    calls: one.calls,
    turns: workMs.length,
    'thread by turns, ms a call-s': round(threadMsPerCallSecond(one)),
    'by CPU': round(one.threadCpuMsPerCallSecond),
    'longest turn, ms': round(Math.max(...workMs)),
    collections: collectionsMs.length,
    'longest, ms': round(Math.max(0, ...collectionsMs)),
    'helpers, ms a call-s': round(one.helpersMsPerCallSecond),
    'database, ms a call-s': round(one.databaseMsPerCallSecond),
    'a start, ms': round(one.startMs),
    replies: measured.replies,
    'reply p50': measured.replyMs.p50,
    'reply p99': measured.replyMs.p99,
    'of it ours': measured.replyOwnMs.p99,
  };
}
