import { cpus } from 'node:os';
import { processTree } from '../process-tree.ts';

/** Who used the machine's cores, each in percent of one core. */
export interface CoreShares {
  readonly service: number;
  /** The processes that the service started: its database. */
  readonly database: number;
  readonly callersAndVendors: number;
  /** All else on the machine. */
  readonly others: number;
}

interface Pids {
  readonly service: number | undefined;
  readonly load: readonly (number | undefined)[];
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
    return {
      service: percent(used('service')),
      database: percent(used('database')),
      callersAndVendors: percent(used('load')),
      others: percent(used('machine') - used('service') - used('database') - used('load')),
    };
  };
}

/** CPU time so far, ms. */
function read({ service, load }: Pids) {
  const tree = (pid: number | undefined) => (pid === undefined ? [] : processTree(pid));
  const sum = (times: readonly number[]) => times.reduce((total, ms) => total + ms, 0);
  const [own = 0, ...started] = tree(service).map(({ cpuMs }) => cpuMs);
  return {
    service: own,
    database: sum(started),
    load: sum(load.map((pid) => tree(pid)[0]?.cpuMs ?? 0)),
    machine: sum(cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq)),
  };
}
