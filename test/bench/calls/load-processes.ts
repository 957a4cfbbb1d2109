import { startCallers } from './callers.ts';
import { Canaries } from './canaries.ts';
import type { Parties } from './measure.ts';
import { startVendors } from './vendors.ts';

/** The bench's own processes around the one under measurement. */
export type LoadProcesses = Omit<Parties, 'measured'>;

/** Starts callers, vendors and what watches the machine; ends them when `use` is done. */
export async function withLoadProcesses<Result>(
  use: (load: LoadProcesses) => Promise<Result>,
): Promise<Result> {
  const load = {
    vendors: await startVendors(),
    callers: await startCallers(),
    canaries: await Canaries.start(),
  };
  try {
    return await use(load);
  } finally {
    await load.callers.stop();
    await load.vendors.stop();
    await load.canaries.stop();
  }
}
