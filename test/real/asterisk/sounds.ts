const FRAME = 160;
/** Above the noise of a line, below any voice. */
const LOUD = 60;

/** Where there is sound in a telephone's recording, in seconds; pauses under half a second belong to it. */
export function stretchesOfSound(pcm: Int16Array): readonly (readonly [number, number])[] {
  const stretches: [number, number][] = [];
  for (let at = 0; at + FRAME <= pcm.length; at += FRAME) {
    if (level(pcm.subarray(at, at + FRAME)) <= LOUD) continue;
    const [from, to] = [at / 8000, (at + FRAME) / 8000];
    const last = stretches.at(-1);
    if (last && from - last[1] < 0.5) last[1] = to;
    else stretches.push([from, to]);
  }
  return stretches.filter(([from, to]) => to - from >= 0.1);
}

export function level(pcm: Int16Array): number {
  let sum = 0;
  for (const sample of pcm) sum += sample * sample;
  return Math.sqrt(sum / Math.max(1, pcm.length));
}
