/** A steady tone, well below full scale. */
export function tone(hz: number, ms: number, rateHz = 8000): Int16Array {
  return Int16Array.from({ length: (ms * rateHz) / 1000 }, (_, i) =>
    Math.round(8000 * Math.sin((2 * Math.PI * hz * i) / rateHz)),
  );
}

/** How long the tone is heard, in stretches of 20 ms in which it has this share of the sound. */
export function toneMs(pcm: Int16Array, hz: number, rateHz: number, share = 0.8): number {
  const frame = rateHz / 50;
  let ms = 0;
  for (let at = 0; at + frame <= pcm.length; at += frame) {
    let [re, im, power] = [0, 0, 0];
    for (let i = 0; i < frame; i++) {
      const sample = pcm[at + i] as number;
      const angle = (2 * Math.PI * hz * i) / rateHz;
      re += sample * Math.cos(angle);
      im += sample * Math.sin(angle);
      power += sample * sample;
    }
    if (power > frame * 1e6 && (2 * (re * re + im * im)) / frame > share * power) ms += 20;
  }
  return ms;
}
