import type { Asked } from './child.ts';
import { LoadProcess } from './load-process.ts';
import type { VendorsApi } from './messages.ts';

/** The vendors of the load, in a process of their own: recogniser, voice, model, and the carrier's REST interface. */
export type Vendors = Asked<VendorsApi>;

export async function startVendors(): Promise<Vendors> {
  const load = await LoadProcess.start('vendors');
  const ask = ((name: keyof VendorsApi) => load.ask(name)) as Vendors['ask'];
  return { process: load.process, ask, stop: () => load.stop() };
}
