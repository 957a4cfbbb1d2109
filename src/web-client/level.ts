export const SILENCE_DB = -120;

/** Root mean square level in dBFS; samples are -1 to 1. */
export function levelDb(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return sum === 0 ? SILENCE_DB : Math.max(SILENCE_DB, 10 * Math.log10(sum / samples.length));
}
