import { cpus } from 'node:os';
import { processTree } from '../process-tree.ts';

/** Who used the machine's cores, each in percent of one core. */
export interface CoreShares {
  readonly service: number;
  /** The processes that the service started: its database. */
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
    const used = (whose: keyof typeof to) => to[whose] - from[whose];
    const known = ['service', 'database', 'callers', 'vendors'] as const;
    return {
      service: percent(used('service')),
      database: percent(used('database')),
      callers: percent(used('callers')),
      vendors: percent(used('vendors')),
      others: percent(used('machine') - known.reduce((sum, whose) => sum + used(whose), 0)),
    };
  };
}

/** CPU time so far, ms. */
function read({ service, callers, vendors }: Pids) {
  const tree = (pid: number | undefined) => (pid === undefined ? [] : processTree(pid));
  const sum = (times: readonly number[]) => times.reduce((total, ms) => total + ms, 0);
  const [own = 0, ...started] = tree(service).map(({ cpuMs }) => cpuMs);
  return {
    service: own,
    database: sum(started),
    callers: tree(callers)[0]?.cpuMs ?? 0,
    vendors: tree(vendors)[0]?.cpuMs ?? 0,
    machine: sum(cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq)),
  };
}
