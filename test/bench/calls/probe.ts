import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import { serve } from './child.ts';
import { monotonicMs, type Reading } from './messages.ts';

const RESOLUTION_MS = 10;
const SAMPLE_US = 200;

// Loaded into a measured process before its own code; costs it a timer of the runtime's.
if (isMainThread && process.send) {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const inspector = new Session();

  const read = ({ gc }: { readonly gc: boolean }): Reading => {
    if (gc) (globalThis as { gc?: () => void }).gc?.();
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
    return {
      cpuMs: (user + system) / 1000,
      mainThreadCpuMs: (main.user + main.system) / 1000,
      atMs,
      clockOffsetMs: performance.timeOrigin + performance.now() - atMs,
      rssBytes: rss,
      heapBytes: heapUsed,
      externalBytes: external,
      handles,
      loopDelayMs,
    };
  };

  serve(
    {
      read,
      async startProfile() {
        inspector.connect();
        await inspector.post('Profiler.enable');
        await inspector.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
        await inspector.post('Profiler.start');
      },
      async stopProfile(path: string) {
        const { profile } = await inspector.post('Profiler.stop');
        await writeFile(path, JSON.stringify(profile));
        inspector.disconnect();
      },
    },
    { unref: true },
  );
}
