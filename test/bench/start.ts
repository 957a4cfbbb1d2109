import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

export const bench: Bench = {
  about: 'from the start of the process to the first call it can take, ms',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'parley-start-'));
    const readyMs: number[] = [];
    const floor: number[] = [];
    try {
      for (let n = 0; n <= LATER_STARTS; n++) {
        floor.push(await bareRuntime());
        const service = await ServiceProcess.start(folder);
        readyMs.push(service.readyMs);
        await service.stop();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    const [first = Number.NaN, ...later] = readyMs;
    const rows = {
      'first start': quantiles([first]),
      'later starts': quantiles(later),
      'a bare runtime': quantiles(floor),
    };
    console.table(rows);
    console.log('goal: first within 10 s, later within 4 s');
    return rows;
  },
};
