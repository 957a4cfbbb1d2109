import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { ProbeApi, Reading } from './messages.ts';

/** Where the probes of a service's worker processes are reached: a folder of sockets. */
export const WORKERS_DIR = 'BENCH_WORKERS_DIR';
const ANSWER_MS = 20_000;

type Read = ProbeApi['read'];

/** Answers readings of this process at a socket of its own: a worker's channel is the service's. */
export function serveReadings(folder: string, read: Read): void {
  const server = createServer((asked, answer) => {
    answer.end(JSON.stringify(read({ gc: asked.url === '/gc' })));
  });
  // Not through the first process, as what workers listen on is otherwise.
  server.listen({ path: join(folder, String(process.pid)), exclusive: true });
  server.unref();
}

/** What each worker process of a service tells of itself. */
export async function readWorkers(
  folder: string,
  { gc }: Parameters<Read>[0],
): Promise<readonly Reading[]> {
  const sockets = await readdir(folder);
  return Promise.all(
    sockets.map(async (name) => {
      const asked = request({
        socketPath: join(folder, name),
        path: gc ? '/gc' : '/',
        agent: false,
        signal: AbortSignal.timeout(ANSWER_MS),
      }).end();
      const [answer] = await once(asked, 'response');
      return (await json(answer)) as Reading;
    }),
  );
}

/** The readings of several processes as one: what they use is added up, of delays the worst counts. */
export function joinReadings(all: readonly [Reading, ...Reading[]]): Reading {
  // What the first process tells of instants holds for one machine; that of a call's own process would differ by little.
  const [first] = all;
  const sum = (of: (one: Reading) => number) => all.reduce((total, one) => total + of(one), 0);
  const worst = (of: keyof Reading['loopDelayMs']) =>
    Math.max(...all.map(({ loopDelayMs }) => loopDelayMs[of]));
  const collections: Record<string, { count: number; ms: number }> = {};
  for (const [kind, { count, ms }] of all.flatMap((one) => Object.entries(one.collections))) {
    const { count: counted, ms: counting } = collections[kind] ?? { count: 0, ms: 0 };
    collections[kind] = { count: counted + count, ms: counting + ms };
  }
  return {
    atMs: first.atMs,
    clockOffsetMs: first.clockOffsetMs,
    cpuMs: sum((one) => one.cpuMs),
    mainThreadCpuMs: sum((one) => one.mainThreadCpuMs),
    threadsCpuMs: sumByName(all.map((one) => one.threadsCpuMs)),
    rssBytes: sum((one) => one.rssBytes),
    heapBytes: sum((one) => one.heapBytes),
    externalBytes: sum((one) => one.externalBytes),
    handles: sumByName(all.map((one) => one.handles)),
    loopDelayMs: { p50: worst('p50'), p99: worst('p99'), p999: worst('p999'), max: worst('max') },
    collections,
  };
}

function sumByName(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, value] of all.flatMap((one) => Object.entries(one)))
    sums[name] = (sums[name] ?? 0) + value;
  return sums;
}
