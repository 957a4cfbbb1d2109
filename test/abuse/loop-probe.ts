import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a service under attack: notes each stretch in which its main thread computed without a pause, as
 * `<epoch ms> <CPU ms>` lines. CPU time of that thread alone: what else the machine does is not in it.
 */
const TICK_MS = 5;
const WORTH_NOTING_MS = 20;

const path = process.env.LOOP_PROBE_FILE;
if (path !== undefined && isMainThread) {
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    const cpuMs = (user + system) / 1000;
    if (cpuMs > WORTH_NOTING_MS) appendFileSync(path, `${Date.now()} ${cpuMs}\n`);
  }, TICK_MS).unref();
}
