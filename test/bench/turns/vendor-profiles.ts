import type { Random } from './random.ts';

/** Quantiles of a latency, ms. */
export interface Latency {
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

/** From the end of speech to the final text, as published by pipecat-ai/stt-benchmark. */
export const RECOGNISERS = {
  'nova-3': { medianMs: 247, p95Ms: 298, p99Ms: 326 },
  universal: { medianMs: 256, p95Ms: 362, p99Ms: 417 },
  'ink-2': { medianMs: 299, p95Ms: 328, p99Ms: 1584 },
  'gpt-4o': { medianMs: 637, p95Ms: 965, p99Ms: 1655 },
  azure: { medianMs: 1016, p95Ms: 1345, p99Ms: 1791 },
} as const satisfies Readonly<Record<string, Latency>>;

export type RecogniserName = keyof typeof RECOGNISERS;

/** Assumed: to the model's first whole sentence, and from there to the voice's first audio. */
export const MODEL: Latency = { medianMs: 450, p95Ms: 1000, p99Ms: 1400 };
export const VOICE: Latency = { medianMs: 180, p95Ms: 350, p99Ms: 460 };
/** A small audio model on a shared core (smart-turn v3 is published with 12 to 60 ms). */
export const PREDICTOR: Latency = { medianMs: 35, p95Ms: 70, p99Ms: 95 };

const Z95 = 1.645;
const Z99 = 2.326;

/** One latency: lognormal between median and p95, with its own slope beyond, so that heavy tails stay heavy. */
export function sampleLatency({ medianMs, p95Ms, p99Ms }: Latency, random: Random): number {
  const z = random.normal();
  const body = Math.log(p95Ms / medianMs) / Z95;
  if (z <= Z95) return medianMs * Math.exp(body * z);
  const tail = Math.log(p99Ms / p95Ms) / (Z99 - Z95);
  return p95Ms * Math.exp(tail * Math.min(z - Z95, 1.2));
}
