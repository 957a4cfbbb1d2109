import { monotonicAt, watchCollections } from './collections.ts';
import type { LoopTurns } from './messages.ts';

/** CPU time of this thread so far, ms. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Notes every turn of this thread's loop; the function that comes back ends that and tells. An immediate that keeps nothing
 * waiting runs once a turn, after what the turn was woken for.
 */
export function noteTurns(): () => LoopTurns {
  const endedAt: number[] = [];
  const activeMs: number[] = [];
  const collections: { endedAt: number; ms: number }[] = [];
  const stopWatching = watchCollections((_, ms, at) => collections.push({ endedAt: at, ms }));
  let lastAt = performance.now();
  let lastIdleMs = performance.eventLoopUtilization().idle;
  let lastCpuMs = threadCpuMs();
  let goesOn = true;
  const look = () => {
    if (!goesOn) return;
    const now = performance.now();
    const idleMs = performance.eventLoopUtilization().idle;
    const cpuMs = threadCpuMs();
    // Where the thread had work and no core, it took longer than it computed; what polling costs is no work.
    const active = Math.min(now - lastAt - (idleMs - lastIdleMs), cpuMs - lastCpuMs);
    endedAt.push(now);
    activeMs.push(Math.max(0, active));
    lastAt = now;
    lastIdleMs = idleMs;
    lastCpuMs = cpuMs;
    setImmediate(look).unref();
  };
  setImmediate(look).unref();
  return () => {
    goesOn = false;
    stopWatching();
    return {
      endedAt: Float64Array.from(endedAt, monotonicAt),
      activeMs: Float64Array.from(activeMs),
      collections: collections.sort((a, b) => a.endedAt - b.endedAt),
    };
  };
}
