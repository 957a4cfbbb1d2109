/** Averages all channels into one; a single channel is returned unchanged, not copied. */
export function downmix(channels: readonly [Int16Array, ...Int16Array[]]): Int16Array {
  const [first, ...others] = channels;
  if (others.length === 0) return first;
  const mono = new Int16Array(first.length);
  for (let i = 0; i < mono.length; i++) {
    let sum = first[i] as number;
    for (const channel of others) sum += channel[i] as number;
    mono[i] = Math.round(sum / channels.length);
  }
  return mono;
}
