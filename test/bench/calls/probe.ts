import cluster from 'node:cluster';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';
import { isMainThread } from 'node:worker_threads';
import { serve } from './child.ts';
import { monotonicAt, watchCollections } from './collections.ts';
import { noteTurns } from './loop-turns.ts';
import {
  type Held,
  type LoopTurns,
  monotonicMs,
  type Reading,
  type WantedProfile,
} from './messages.ts';
import { serveReadings, WORKERS_DIR } from './worker-probes.ts';

/** Of `/proc`, in which CPU time is counted. */
const TICK_MS = 10;
const RESOLUTION_MS = 10;
const SAMPLE_US = 200;
/** Rounds of survivors after which the young generation has its full size. */
const GROWN_AFTER = 200;
const SAMPLE_BYTES = 16 * 1024;
/** Shorter pieces of work are too many to be told one by one. */
const TRACED_MS = 0.5;
/** The loop is looked at so often while it is traced. */
const LOOK_MS = 2;

const youngBytes = () =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;

/**
 * V8 lets the young generation grow with all that ever survived a collection of it, and with calls never takes that back:
 * a service of some minutes has the largest there is. This one gets there at once.
 */
function age(): void {
  let largest = 0;
  for (let unchanged = 0; unchanged < GROWN_AFTER; ) {
    const survivors = Array.from({ length: 50_000 }, (_, i) => ({ i }));
    const bytes = youngBytes();
    unchanged = bytes > largest && survivors.length > 0 ? 0 : unchanged + 1;
    largest = Math.max(largest, bytes);
  }
}

/** Notes what holds this thread; the function that comes back ends that and tells. */
async function trace(): Promise<() => readonly Held[]> {
  const held: Held[] = [];
  const note = (by: string, endedAt: number, ms: number) => {
    if (ms >= TRACED_MS) held.push({ by, endedAt, ms });
  };
  const { loopRecorder } = await import('../../../src/lib/loop-recorder.ts');
  loopRecorder.watch((work, tookMs, endedAt) => {
    if (!work.startsWith('gc-')) note(work, monotonicAt(endedAt), tookMs);
  });
  const stopWatching = watchCollections((kind, ms, endedAt) => note(`gc-${kind}`, endedAt, ms));
  let dueAt = monotonicMs() + LOOK_MS;
  const look = setInterval(() => {
    const now = monotonicMs();
    note('loop', now, now - dueAt);
    dueAt = now + LOOK_MS;
  }, LOOK_MS);
  return () => {
    loopRecorder.watch(undefined);
    stopWatching();
    clearInterval(look);
    return held;
  };
}

/** CPU of the threads, those of one name together. */
function threadsCpuMs(): Record<string, number> {
  const sums: Record<string, number> = {};
  try {
    for (const task of readdirSync('/proc/self/task')) {
      const stat = readFileSync(`/proc/self/task/${task}/stat`, 'utf8');
      const name =
        task === String(process.pid)
          ? 'main'
          : stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      sums[name] = (sums[name] ?? 0) + (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    }
  } catch {
    // Not on this system.
  }
  return sums;
}

// Loaded into a measured process before its own code; costs it a timer of the runtime's.
if (isMainThread && process.send) {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const inspector = new Session();
  let collections: Record<string, { count: number; ms: number }> = {};
  watchCollections((kind, ms) => {
    collections[kind] ??= { count: 0, ms: 0 };
    collections[kind].count++;
    collections[kind].ms += ms;
  });

  const read = ({ gc }: { readonly gc: boolean }): Reading => {
    // Twice: what the first one found unused outside the heap is given back by the second at the latest.
    for (let n = 0; gc && n < 2; n++) (globalThis as { gc?: () => void }).gc?.();
    const { user, system } = process.cpuUsage();
    const main = process.threadCpuUsage();
    const { rss, heapUsed, external } = process.memoryUsage();
    // The histogram counts from the timer's own interval: what is over it is the delay.
    const over = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
    const loopDelayMs = {
      p50: over(histogram.percentile(50)),
      p99: over(histogram.percentile(99)),
      p999: over(histogram.percentile(99.9)),
      max: over(histogram.max),
    };
    histogram.reset();
    const handles: Record<string, number> = {};
    for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
    const atMs = monotonicMs();
    const collected = collections;
    collections = {};
    return {
      cpuMs: (user + system) / 1000,
      mainThreadCpuMs: (main.user + main.system) / 1000,
      threadsCpuMs: threadsCpuMs(),
      atMs,
      clockOffsetMs: performance.timeOrigin + performance.now() - atMs,
      rssBytes: rss,
      heapBytes: heapUsed,
      externalBytes: external,
      handles,
      loopDelayMs,
      collections: collected,
    };
  };

  let endTrace: (() => readonly Held[]) | undefined;
  let endTurns: (() => LoopTurns) | undefined;
  const workersDir = process.env[WORKERS_DIR];
  if (cluster.isWorker && workersDir) serveReadings(workersDir, read);
  else
    serve(
      {
        read,
        age,
        startTurns() {
          endTurns = noteTurns();
        },
        stopTurns: () => endTurns?.(),
        async startTrace() {
          endTrace = await trace();
        },
        stopTrace: () => endTrace?.() ?? [],
        async startProfile({ kind }: WantedProfile) {
          inspector.connect();
          if (kind === 'allocations') {
            await inspector.post('HeapProfiler.startSampling', {
              samplingInterval: SAMPLE_BYTES,
              includeObjectsCollectedByMajorGC: true,
              includeObjectsCollectedByMinorGC: true,
            });
            return;
          }
          await inspector.post('Profiler.enable');
          await inspector.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
          await inspector.post('Profiler.start');
        },
        async stopProfile({ kind, path }: WantedProfile) {
          const command = kind === 'cpu' ? 'Profiler.stop' : 'HeapProfiler.stopSampling';
          const { profile } = await inspector.post(command as 'Profiler.stop');
          await writeFile(path, JSON.stringify(profile));
          inspector.disconnect();
        },
      },
      { unref: true },
    );
}
