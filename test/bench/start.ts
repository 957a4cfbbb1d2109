import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedServer, startPostgresServer } from '../support/postgres-server.ts';
import { ServiceProcess } from '../support/service-process.ts';
import type { Bench } from './main.ts';
import { quantiles } from './quantiles.ts';

const LATER_STARTS = 5;

/** A bare runtime that starts and ends: the floor of any start. */
async function bareRuntime(): Promise<number> {
  const from = performance.now();
  await once(spawn(process.execPath, ['-e', '0']), 'exit');
  return performance.now() - from;
}

interface Starts {
  readonly first: number;
  readonly later: readonly number[];
  readonly floor: readonly number[];
}

/** Starts the service again and again on the same data. */
async function starts(env: Readonly<Record<string, string>> = {}): Promise<Starts> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-start-'));
  const readyMs: number[] = [];
  const floor: number[] = [];
  try {
    for (let n = 0; n <= LATER_STARTS; n++) {
      floor.push(await bareRuntime());
      const service = await ServiceProcess.start(folder, env);
      readyMs.push(service.readyMs);
      await service.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const [first = Number.NaN, ...later] = readyMs;
  return { first, later, floor };
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

export const bench: Bench = {
  about: 'from the start of the process to the first call it can take, ms',
  async run() {
    const embedded = await starts();
    const server = await startsOnServer();
    const rows = {
      'first start': quantiles([embedded.first]),
      'later starts': quantiles(embedded.later),
      ...(server ? { 'later starts, database server': quantiles(server.later) } : {}),
      'a bare runtime': quantiles([...embedded.floor, ...(server?.floor ?? [])]),
    };
    console.table(rows);
    console.log('goal: first within 10 s, later within 4 s, within 2 s with a database server');
    return rows;
  },
};
