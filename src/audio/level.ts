const FULL_SCALE = 32768;

/** Level reported for digital silence; below the rounding noise of PCM16. */
export const SILENCE_DB = -120;

/** Root mean square level in dBFS; {@link SILENCE_DB} for silence or an empty array. */
export function rmsDb(pcm: Int16Array): number {
  let sum = 0;
  for (let i = 0; i < pcm.length; i++) {
    const sample = pcm[i] as number;
    sum += sample * sample;
  }
  return sum === 0 ? SILENCE_DB : 10 * Math.log10(sum / pcm.length / (FULL_SCALE * FULL_SCALE));
}

/** Largest sample in dBFS; {@link SILENCE_DB} for silence or an empty array. */
export function peakDb(pcm: Int16Array): number {
  let peak = 0;
  for (let i = 0; i < pcm.length; i++) {
    const sample = Math.abs(pcm[i] as number);
    if (sample > peak) peak = sample;
  }
  return peak === 0 ? SILENCE_DB : 20 * Math.log10(peak / FULL_SCALE);
}
