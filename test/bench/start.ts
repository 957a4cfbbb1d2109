import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freshBundle, makeBundle } from '../../src/bundled-code.mjs';
import { installedServer, startPostgresServer } from '../support/postgres-server.ts';
import { SERVICE_KEY, ServiceProcess } from '../support/service-process.ts';
import type { Bench } from './main.ts';
import { type ProcessFigures, processTree, totalOf } from './process-tree.ts';
import { quantiles } from './quantiles.ts';

const LATER_STARTS = 5;

/** A bare runtime that starts and ends: the floor of any start. */
async function bareRuntime(): Promise<number> {
  const from = performance.now();
  await once(spawn(process.execPath, ['-e', '0']), 'exit');
  return performance.now() - from;
}

interface Start {
  readonly wallMs: number;
  /** Of the service and all its processes. */
  readonly cpuMs: number;
}

interface Starts {
  readonly first: Start;
  readonly later: readonly Start[];
  readonly floor: readonly number[];
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-start-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts the service again and again on the same data. */
function starts(env: Readonly<Record<string, string>> = {}): Promise<Starts> {
  return inFolder(async (folder) => {
    const measured: Start[] = [];
    const floor: number[] = [];
    for (let n = 0; n <= LATER_STARTS; n++) {
      floor.push(await bareRuntime());
      const service = await ServiceProcess.start(folder, env);
      const { cpuMs } = totalOf(processTree(service.pid));
      measured.push({ wallMs: service.readyMs, cpuMs });
      await service.stop();
    }
    const [first = { wallMs: Number.NaN, cpuMs: Number.NaN }, ...later] = measured;
    return { first, later, floor };
  });
}

/** The same on a database server, where this machine has one. */
async function startsOnServer(): Promise<Starts | undefined> {
  const bin = installedServer();
  if (!bin) return undefined;
  const server = await startPostgresServer(bin);
  try {
    return await starts({ DATABASE_URL: server.url('postgres') });
  } finally {
    await server.stop();
  }
}

const ROOT = resolve(import.meta.dirname, '../..');
const QUESTION = join(ROOT, 'fixtures/audio/ask-what-you-can-do.wav');
/** Connections that are idle for a minute are ended, threads sooner. */
const IDLE_MS = 75_000;
const SETTLE_MS = 5_000;

/** What the service holds when idle, after one call with the built-in engines, and when idle again. */
function footprints(): Promise<Readonly<Record<string, readonly ProcessFigures[]>>> {
  return inFolder(async (folder) => {
    const service = await ServiceProcess.start(folder);
    try {
      await delay(SETTLE_MS);
      const idle = processTree(service.pid);
      const target = ['--url', service.url, '--key', SERVICE_KEY, '--out', join(folder, 'call')];
      const call = [join(ROOT, 'src/cli/call.ts'), QUESTION, ...target];
      const { stdout } = await promisify(execFile)(process.execPath, call);
      console.log(stdout.slice(stdout.indexOf('Latency'), stdout.indexOf('\nThe call is')));
      const afterCall = processTree(service.pid);
      await delay(IDLE_MS);
      return { idle, 'after one call': afterCall, 'idle again': processTree(service.pid) };
    } finally {
      await service.stop();
    }
  });
}

const rounded = (value: number) => Math.round(value * 10) / 10;

function footprintTable(footprints: Readonly<Record<string, readonly ProcessFigures[]>>) {
  return Object.fromEntries(
    Object.entries(footprints).map(([when, processes]) => {
      const service = processes[0];
      const all = totalOf(processes);
      return [
        when,
        {
          'service RSS MiB': rounded(service?.rssMib ?? Number.NaN),
          'service PSS MiB': rounded(service?.pssMib ?? Number.NaN),
          threads: service?.threads,
          processes: all.processes,
          'all PSS MiB': all.pssMib,
        },
      ];
    }),
  );
}

export const bench: Bench = {
  about: 'from the start of the process to the first call it can take, and what it holds',
  async run() {
    const cache = join(ROOT, 'node_modules/.cache/parley');
    // As after a service that has run for some seconds.
    if (!freshBundle(cache)) await makeBundle(cache);
    const embedded = await starts();
    const server = await startsOnServer();
    const all = {
      'first start': [embedded.first],
      'later starts': embedded.later,
      ...(server ? { 'later starts, database server': server.later } : {}),
    };
    const rows = {
      ...Object.fromEntries(
        Object.entries(all).flatMap(([name, measured]) => [
          [`${name}, ms`, quantiles(measured.map((one) => one.wallMs))],
          [`${name}, ms of CPU`, quantiles(measured.map((one) => one.cpuMs))],
        ]),
      ),
      'a bare runtime, ms': quantiles([...embedded.floor, ...(server?.floor ?? [])]),
    };
    console.table(rows);
    console.log('goal: first within 5 s; later with 1200 ms of CPU');
    if (process.platform !== 'linux') return rows;
    const held = footprintTable(await footprints());
    console.table(held);
    console.log('goal: the service idle within 150 MiB');
    return { ...rows, ...held };
  },
};
