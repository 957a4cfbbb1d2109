/** Converts PCM16 to samples of -1 to 1. */
export function floatFromPcm16(pcm: Int16Array): Float32Array {
  return Float32Array.from(pcm, (sample) => sample / 32_768);
}

/** Converts samples of -1 to 1 to PCM16; values out of range are clipped. */
export function pcm16FromFloat(samples: Float32Array): Int16Array<ArrayBuffer> {
  const pcm = new Int16Array(samples.length);
  for (const [i, sample] of samples.entries())
    pcm[i] = Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768)));
  return pcm;
}
