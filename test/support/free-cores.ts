import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 500;
const idleMs = () => cpus().reduce((sum, { times }) => sum + times.idle, 0);

/** How many cores other programs leave free, by half a second in which this one does nothing. */
export async function freeCores(): Promise<number> {
  const [before, startedAt] = [idleMs(), performance.now()];
  await delay(LOOK_MS);
  return (idleMs() - before) / (performance.now() - startedAt);
}
