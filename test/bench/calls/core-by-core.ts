import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { MS_A_TICK, processIds } from '../process-tree.ts';
import type { CoreShares, Pids } from './core-shares.ts';

type Shares = Omit<CoreShares, 'busiestProcess'>;
type Party = Exclude<keyof Shares, 'others'>;

/** Who used the first core, which is the service's where it has one to itself, and the others together. */
export interface CoreByCore {
  readonly first: Shares;
  readonly others: Shares;
}

/** What threads did between two looks counts where they were last seen. */
const LOOK_MS = 1000;

/** Begins to watch; the function that comes back ends that and tells. */
export function watchEachCore(pids: Pids): () => CoreByCore {
  const startedAt = performance.now();
  const busyBefore = busyCores();
  const seenMs = new Map<string, number>();
  const used = busyBefore.map(() => ({ service: 0, database: 0, callers: 0, vendors: 0 }));
  const look = (isFirst: boolean) => {
    for (const { party, pid } of partiesOf(pids)) {
      for (const { thread, core, cpuMs } of threadsOf(pid)) {
        // A thread that was not there at the first look has begun since.
        const sinceMs = cpuMs - (seenMs.get(thread) ?? 0);
        seenMs.set(thread, cpuMs);
        const onCore = used[core];
        if (!isFirst && onCore) onCore[party] += sinceMs;
      }
    }
  };
  look(true);
  const timer = setInterval(() => look(false), LOOK_MS).unref();
  return () => {
    clearInterval(timer);
    look(false);
    const elapsedMs = performance.now() - startedAt;
    const busyMs = busyCores().map((ms, core) => ms - (busyBefore[core] ?? 0));
    const together = (from: number, to?: number): Shares => {
      const sum = (figures: readonly number[]) =>
        figures.slice(from, to).reduce((total, ms) => total + ms, 0);
      const percent = (ms: number) => Math.max(0, Math.round((100 * ms) / elapsedMs));
      const usedBy = (party: Party) => sum(used.map((core) => core[party]));
      const known = used.map((core) => Object.values(core).reduce((total, ms) => total + ms, 0));
      return {
        service: percent(usedBy('service')),
        database: percent(usedBy('database')),
        callers: percent(usedBy('callers')),
        vendors: percent(usedBy('vendors')),
        others: percent(sum(busyMs) - sum(known)),
      };
    };
    return { first: together(0, 1), others: together(1) };
  };
}

/** How long each core has been busy so far, ms. */
const busyCores = () =>
  cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq);

function partiesOf({ service, callers, vendors }: Pids): { party: Party; pid: number }[] {
  const tree = service === undefined ? [] : processIds(service);
  return [
    ...tree.map((pid, n) => ({ party: n === 0 ? 'service' : 'database', pid }) as const),
    ...(callers === undefined ? [] : [{ party: 'callers', pid: callers } as const]),
    ...(vendors === undefined ? [] : [{ party: 'vendors', pid: vendors } as const]),
  ];
}

/** The threads of a process, each with the core on which it was last; none if it has ended, or this is not Linux. */
function threadsOf(pid: number) {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => {
      const text = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
      // The name, which may hold anything, stands in brackets.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      const ticks = Number(fields[11]) + Number(fields[12]);
      return { thread, core: Number(fields[36]), cpuMs: ticks * MS_A_TICK };
    });
  } catch {
    return [];
  }
}
