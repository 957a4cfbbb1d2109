import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { parseConfig } from '../../src/config/config.ts';
import { createApp } from '../../src/service/app.ts';
import type { Bench } from './main.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const KEY = 'bench-key-bench-key-bench-key';
const RECORDINGS = ['what-your-country-can-do', 'ask-what-you-can-do'];
const RESOLUTION_MS = 2;

/** An idle loop beside ours: what this machine makes late all by itself. */
const IDLE_LOOP = `
  const { monitorEventLoopDelay } = require('node:perf_hooks');
  const { parentPort } = require('node:worker_threads');
  const histogram = monitorEventLoopDelay({ resolution: ${RESOLUTION_MS} });
  histogram.enable();
  parentPort.once('message', () => parentPort.postMessage({
    p50: histogram.percentile(50) / 1e6, p99: histogram.percentile(99) / 1e6,
    p999: histogram.percentile(99.9) / 1e6, max: histogram.max / 1e6,
  }));`;

const round = (value: number) => Math.round(value * 10) / 10;

// The histogram counts from the timer's own interval: what is over it is the delay.
function delays(from: { p50: number; p99: number; p999: number; max: number }) {
  const over = (value: number) => round(Math.max(0, value - RESOLUTION_MS));
  return {
    p50: over(from.p50),
    p99: over(from.p99),
    'p99.9': over(from.p999),
    max: over(from.max),
  };
}

const read = (histogram: ReturnType<typeof monitorEventLoopDelay>) => ({
  p50: histogram.percentile(50) / 1e6,
  p99: histogram.percentile(99) / 1e6,
  p999: histogram.percentile(99.9) / 1e6,
  max: histogram.max / 1e6,
});

function hold(url: string, out: string): Promise<void> {
  const files = RECORDINGS.map((name) => join(ROOT, 'fixtures/audio', `${name}.wav`));
  const args = [join(ROOT, 'src/cli/call.ts'), ...files, '--url', url, '--key', KEY, '--out', out];
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('error', fail);
    child.once('exit', (code) =>
      code === 0 ? done() : fail(new Error(`the call ended with code ${code}`)),
    );
  });
}

export const bench: Bench = {
  about: "how late the service's event loop is during a real offline call, ms",
  async run() {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-'));
    const env = { DATA_DIR: dataDir, PORT: '0', API_KEY: KEY, LOG_LEVEL: 'error' };
    const app = await createApp(parseConfig(env));
    const idle = new Worker(IDLE_LOOP, { eval: true });
    try {
      const url = await app.listen();
      // The first call warms what is compiled and cached; the second one is measured.
      await hold(url, join(dataDir, 'out'));
      const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      histogram.enable();
      await hold(url, join(dataDir, 'out'));
      histogram.disable();
      const answer = new Promise<Parameters<typeof delays>[0]>((done) =>
        idle.once('message', done),
      );
      idle.postMessage('read');
      const service = delays(read(histogram));
      const floor = delays(await answer);
      console.table({ service, 'an idle loop': floor });
      console.log('goal: our own code never blocks the loop for more than 20 ms');
      return { service, floor };
    } finally {
      await idle.terminate();
      await app.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
