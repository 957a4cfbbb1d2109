import { setTimeout as delay } from 'node:timers/promises';
import { startCallers } from './calls/callers.ts';
import { startService } from './calls/loaded-service.ts';
import type { Reading } from './calls/messages.ts';
import { startVendors } from './calls/vendors.ts';
import type { Bench } from './main.ts';

const CALLS = 1000;
const STEPS = 5;
const AT_ONCE = 10;
/** Half a second of sound in each call. */
const FRAMES = 25;
/** Until what a call leaves behind for later is done: its analysis, kept connections, expired tokens. */
const SETTLE_MS = 10_000;

function row(calls: number, { heapBytes, externalBytes, rssBytes, handles }: Reading) {
  const mib = (bytes: number) => Math.round((bytes / 2 ** 20) * 10) / 10;
  return {
    calls,
    'heap MiB': mib(heapBytes),
    'outside the heap MiB': mib(externalBytes),
    'rss MiB': mib(rssBytes),
    timers: handles.Timeout ?? 0,
    'other handles': Object.entries(handles)
      .filter(([kind]) => kind !== 'Timeout')
      .reduce((sum, [, count]) => sum + count, 0),
  };
}

export const bench: Bench = {
  about: 'what calls leave behind: short ones, one after the other, on both sockets',
  async run({ calls: [calls = CALLS] = [] }) {
    const vendors = await startVendors();
    const callers = await startCallers();
    const service = await startService(vendors);
    const rows: ReturnType<typeof row>[] = [];
    try {
      const each = Math.ceil(calls / STEPS);
      const target = { ...service.target, wires: ['carrier', 'web'], silent: true } as const;
      // The first ones bring what stays: compiled code, pools, caches.
      await callers.ask('churn', { ...target, calls: 100 }, { atOnce: AT_ONCE, frames: FRAMES });
      for (let step = 0; step <= STEPS; step++) {
        if (step > 0)
          await callers.ask(
            'churn',
            { ...target, calls: each },
            { atOnce: AT_ONCE, frames: FRAMES },
          );
        await delay(SETTLE_MS);
        rows.push(row(step * each, await service.probe.ask('read', { gc: true })));
        console.table(rows);
      }
    } finally {
      await callers.stop();
      await service.stop();
      await vendors.stop();
    }
    const [first, last] = [rows[0], rows.at(-1)];
    const grownKiB = ((last?.['heap MiB'] ?? 0) - (first?.['heap MiB'] ?? 0)) * 1024;
    console.log(`${Math.round((grownKiB / calls) * 100) / 100} KiB of heap a call; goal: none`);
    return { rows };
  },
};
