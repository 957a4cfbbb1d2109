import type { UsageLine } from '../contract/usage.ts';
import type { VendorMeter, VendorName, VendorUsage } from '../ports/vendor-meter.ts';

type Tally = Record<keyof VendorUsage, number> & { requests: number };

const NOTHING: Tally = {
  requests: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  characters: 0,
  audioMs: 0,
};

/** Sums up what one call used of each vendor. */
export class CallUsage implements VendorMeter {
  readonly #tallies = new Map<string, { readonly name: VendorName; readonly tally: Tally }>();

  /** `earlier`: what former processes of the call used, if they could tell. */
  constructor(earlier: readonly UsageLine[] = []) {
    for (const { kind, vendor, model, ...units } of earlier) {
      const name = { kind, vendor, model };
      this.#tallies.set(keyOf(name), { name, tally: { ...NOTHING, ...units } });
    }
  }

  latency(): void {}

  finished(name: VendorName, _outcome: unknown, usage: VendorUsage): void {
    const key = keyOf(name);
    const entry = this.#tallies.get(key) ?? { name, tally: { ...NOTHING } };
    this.#tallies.set(key, entry);
    entry.tally.requests++;
    for (const [unit, amount] of Object.entries(usage))
      entry.tally[unit as keyof VendorUsage] += amount;
  }

  /** One line per vendor; units with no use are left out. */
  lines(): UsageLine[] {
    return [...this.#tallies.values()].map(({ name, tally }) => {
      const { requests, ...units } = tally;
      const used = Object.entries(units).filter(([, amount]) => amount > 0);
      return { ...name, requests, ...Object.fromEntries(used) };
    });
  }
}

const keyOf = ({ kind, vendor, model }: VendorName): string =>
  JSON.stringify([kind, vendor, model]);
