// @ts-check

/**
 * @param {Int16Array} pcm
 * @returns {Float32Array} -1 to 1
 */
export function floatFromPcm16(pcm) {
  const samples = new Float32Array(pcm.length);
  for (let i = 0; i < pcm.length; i++) samples[i] = /** @type {number} */ (pcm[i]) / 32768;
  return samples;
}

/**
 * @param {Float32Array} samples
 * @returns {Int16Array<ArrayBuffer>} what is out of range is limited
 */
export function pcm16FromFloat(samples) {
  const pcm = new Int16Array(samples.length);
  for (let i = 0; i < samples.length; i++) {
    const value = Math.round(/** @type {number} */ (samples[i]) * 32768);
    pcm[i] = Math.max(-32768, Math.min(32767, value));
  }
  return pcm;
}
