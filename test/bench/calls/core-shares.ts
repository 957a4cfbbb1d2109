import { cpus } from 'node:os';
import { type ProcessFigures, processTree, totalOf } from '../process-tree.ts';

/** Who used the machine's cores, each in percent of one core. */
export interface CoreShares {
  /** All its processes, and the one of them that used the most. */
  readonly service: number;
  readonly busiestProcess: number;
  /** The other processes that the service started: its database. */
  readonly database: number;
  readonly callers: number;
  readonly vendors: number;
  /** All else on the machine. */
  readonly others: number;
}

export interface Pids {
  readonly service: number | undefined;
  readonly callers: number | undefined;
  readonly vendors: number | undefined;
}

/** Begins to watch; the function that comes back tells the shares from then to its call. */
export function watchCores(pids: Pids): () => CoreShares {
  const from = read(pids);
  const startedAt = performance.now();
  return () => {
    const to = read(pids);
    const elapsedMs = performance.now() - startedAt;
    const percent = (ms: number) => Math.max(0, Math.round((100 * ms) / elapsedMs));
    const used = (whose: Exclude<keyof typeof to, 'processes'>) => to[whose] - from[whose];
    const known = ['service', 'database', 'callers', 'vendors'] as const;
    const each = to.processes.map(({ pid, cpuMs }) => {
      const before = from.processes.find((one) => one.pid === pid);
      return cpuMs - (before?.cpuMs ?? 0);
    });
    return {
      service: percent(used('service')),
      busiestProcess: percent(Math.max(0, ...each)),
      database: percent(used('database')),
      callers: percent(used('callers')),
      vendors: percent(used('vendors')),
      others: percent(used('machine') - known.reduce((sum, whose) => sum + used(whose), 0)),
    };
  };
}

/** The service's processes: the one that was started and those like it, and all others that came of it. */
function partsOf(pid: number | undefined) {
  const tree = pid === undefined ? [] : processTree(pid);
  const isOwn = ({ name }: ProcessFigures) => name === tree[0]?.name;
  return { own: tree.filter(isOwn), started: tree.filter((one) => !isOwn(one)) };
}

/** CPU time so far, ms. */
function read({ service, callers, vendors }: Pids) {
  const { own, started } = partsOf(service);
  const cpuMsOf = (pid: number | undefined) =>
    pid === undefined ? 0 : (processTree(pid)[0]?.cpuMs ?? 0);
  const sum = (times: readonly number[]) => times.reduce((total, ms) => total + ms, 0);
  return {
    processes: own,
    service: totalOf(own).cpuMs,
    database: totalOf(started).cpuMs,
    callers: cpuMsOf(callers),
    vendors: cpuMsOf(vendors),
    machine: sum(cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq)),
  };
}

/** Memory of several processes, MiB. */
export interface Memory {
  readonly processes: number;
  /** What each holds, added up: what they share counts in each. */
  readonly rssMib: number;
  /** What they share counts once. */
  readonly pssMib: number;
}

/** Memory of the service's own processes. */
export function memoryOf(service: number | undefined): Memory {
  const { processes, rssMib, pssMib } = totalOf(partsOf(service).own);
  return { processes, rssMib, pssMib };
}
