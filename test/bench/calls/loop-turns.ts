import { openSync, readSync } from 'node:fs';
import { monotonicAt, watchCollections } from './collections.ts';
import type { LoopTurns } from './messages.ts';

/** Of a turn that took longer it is asked how long the thread had no core meanwhile. */
const LONG_MS = 2;

/** Tells how long this thread had work and no core, so far, ms (Linux); of the first thread that asks. */
function createWaitReader(): () => number {
  try {
    const file = openSync('/proc/thread-self/schedstat', 'r');
    const bytes = Buffer.alloc(128);
    // Time with a core, time without one, both in ns, and how often it was given one.
    return () => {
      const length = readSync(file, bytes, 0, bytes.length, 0);
      return Number(bytes.toString('latin1', 0, length).split(' ')[1]) / 1e6;
    };
  } catch {
    return () => 0;
  }
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
  const waitedMs = createWaitReader();
  let lastAt = performance.now();
  let lastIdleMs = performance.eventLoopUtilization().idle;
  let lastWaitedMs = waitedMs();
  let goesOn = true;
  const look = () => {
    if (!goesOn) return;
    const now = performance.now();
    const idleMs = performance.eventLoopUtilization().idle;
    let active = now - lastAt - (idleMs - lastIdleMs);
    if (active > LONG_MS) {
      const waited = waitedMs();
      active -= waited - lastWaitedMs;
      lastWaitedMs = waited;
    }
    endedAt.push(now);
    activeMs.push(Math.max(0, active));
    lastAt = now;
    lastIdleMs = idleMs;
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
