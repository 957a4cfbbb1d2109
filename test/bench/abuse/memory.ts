import { readdirSync, readFileSync } from 'node:fs';

const PAGE_BYTES = 4096;

/** Bytes of memory that a process holds, with those of the processes below it (Linux). */
export function memoryOf(pid: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It ended meanwhile.
    }
  }
  let bytes = 0;
  for (const candidate of parents.keys()) {
    let at: number | undefined = candidate;
    while (at !== undefined && at !== pid) at = parents.get(at);
    if (at === undefined) continue;
    try {
      bytes += Number(readFileSync(`/proc/${candidate}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
    } catch {
      // It ended meanwhile.
    }
  }
  return bytes;
}

/** Watches it from now on; `stop` tells the most there was. */
export function watchMemory(pid: number): { stop(): number } {
  let worst = memoryOf(pid);
  const timer = setInterval(() => {
    worst = Math.max(worst, memoryOf(pid));
  }, 500).unref();
  return {
    stop() {
      clearInterval(timer);
      return Math.max(worst, memoryOf(pid));
    },
  };
}
