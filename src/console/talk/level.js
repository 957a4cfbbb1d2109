// @ts-check
export const SILENCE_DB = -120;

/**
 * Root mean square level in dB relative to full scale.
 * @param {Float32Array} samples -1 to 1
 */
export function levelDb(samples) {
  let sum = 0;
  for (let i = 0; i < samples.length; i++) {
    const sample = /** @type {number} */ (samples[i]);
    sum += sample * sample;
  }
  return sum === 0 ? SILENCE_DB : Math.max(SILENCE_DB, 10 * Math.log10(sum / samples.length));
}
