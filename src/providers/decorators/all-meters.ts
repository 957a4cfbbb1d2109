import type { VendorMeter } from '../../ports/vendor-meter.ts';

/** Combines any number of meters into one. */
export function allMeters(...meters: readonly VendorMeter[]): VendorMeter {
  return {
    latency(name, ms) {
      for (const meter of meters) meter.latency(name, ms);
    },
    finished(name, outcome, usage) {
      for (const meter of meters) meter.finished(name, outcome, usage);
    },
  };
}
