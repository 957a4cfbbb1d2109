/** A steady tone, well below full scale. */
export function tone(hz: number, ms: number, rateHz = 8000): Int16Array {
  return Int16Array.from({ length: (ms * rateHz) / 1000 }, (_, i) =>
    Math.round(8000 * Math.sin((2 * Math.PI * hz * i) / rateHz)),
  );
}

/** How long the tone is heard, in stretches of 20 ms in which it has this share of the sound. */
export function toneMs(pcm: Int16Array, hz: number, rateHz: number, share = 0.8): number {
  const frame = rateHz / 50;
  const turn = 2 * Math.cos((2 * Math.PI * hz) / rateHz);
  let ms = 0;
  for (let at = 0; at + frame <= pcm.length; at += frame) {
    // Goertzel: the energy at one frequency.
    let [last, before, power] = [0, 0, 0];
    for (let i = at; i < at + frame; i++) {
      const sample = pcm[i] as number;
      const next = sample + turn * last - before;
      before = last;
      last = next;
      power += sample * sample;
    }
    const energy = last * last + before * before - turn * last * before;
    if (power > frame * 1e6 && (2 * energy) / frame > share * power) ms += 20;
  }
  return ms;
}
