/**
 * Adds `source` to the start of `target`, saturating. The gain moves linearly from `gain` to `toGain` over the source,
 * so that ducking does not click.
 */
export function mixInto(
  target: Int16Array,
  source: Int16Array,
  gain: number,
  toGain: number = gain,
): void {
  const length = Math.min(target.length, source.length);
  const step = (toGain - gain) / Math.max(1, length);
  for (let i = 0; i < length; i++) {
    target[i] = saturate((target[i] as number) + (source[i] as number) * (gain + step * i));
  }
}

/** Scales `pcm` in place, saturating; the gain moves linearly from `gain` to `toGain`. */
export function applyGain(pcm: Int16Array, gain: number, toGain: number = gain): void {
  if (gain === 1 && toGain === 1) return;
  const step = (toGain - gain) / Math.max(1, pcm.length);
  for (let i = 0; i < pcm.length; i++) {
    pcm[i] = saturate((pcm[i] as number) * (gain + step * i));
  }
}

/** Converts dB to a linear factor. */
export function gainFromDb(db: number): number {
  return 10 ** (db / 20);
}

function saturate(value: number): number {
  if (value >= 32767) return 32767;
  if (value <= -32768) return -32768;
  return Math.round(value);
}
