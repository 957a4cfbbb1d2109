import { Counter, Histogram, type Registry } from 'prom-client';
import type { VendorMeter, VendorUsage } from '../ports/vendor-meter.ts';

const UNITS = {
  inputTokens: 'input_tokens',
  cachedTokens: 'cached_input_tokens',
  outputTokens: 'output_tokens',
  characters: 'characters',
  audioMs: 'audio_ms',
} as const satisfies Record<keyof VendorUsage, string>;

/** Requests to vendors as Prometheus metrics, labelled by kind and vendor and never by names that users choose. */
export function createVendorMeter(registry: Registry): VendorMeter {
  const latency = new Histogram({
    name: 'parley_vendor_latency_seconds',
    help: 'First token (llm), first audio (tts), final text after the end of speech (stt)',
    labelNames: ['kind', 'vendor'],
    buckets: [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10],
    registers: [registry],
  });
  const requests = new Counter({
    name: 'parley_vendor_requests_total',
    help: 'Requests and streams that are over, by how they ended',
    labelNames: ['kind', 'vendor', 'outcome'],
    registers: [registry],
  });
  const usage = new Counter({
    name: 'parley_vendor_usage_total',
    help: 'What vendors charge for, in the unit named',
    labelNames: ['kind', 'vendor', 'unit'],
    registers: [registry],
  });
  return {
    latency: ({ kind, vendor }, ms) => latency.observe({ kind, vendor }, ms / 1000),
    finished({ kind, vendor }, outcome, used) {
      requests.inc({ kind, vendor, outcome });
      for (const [field, unit] of Object.entries(UNITS)) {
        const amount = used[field as keyof VendorUsage];
        if (amount) usage.inc({ kind, vendor, unit }, amount);
      }
    },
  };
}
