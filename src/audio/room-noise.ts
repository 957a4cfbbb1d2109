import { createNoise } from './seeded-noise.ts';

/** Equal power in each octave: Kellet's sum of one-pole filters. */
export function pinkNoise(samples: number, seed: number): Float64Array {
  const white = createNoise(seed);
  const poles = [0.99886, 0.99332, 0.969, 0.8665, 0.55, -0.7616];
  const gains = [0.0555179, 0.0750759, 0.153852, 0.3104856, 0.5329522, -0.016898];
  const state = poles.map(() => 0);
  return Float64Array.from({ length: samples }, () => {
    const next = white();
    let sum = 0.5362 * next;
    for (const [i, pole] of poles.entries()) {
      state[i] = pole * (state[i] as number) + (gains[i] as number) * next;
      sum += state[i] as number;
    }
    return sum;
  });
}

/** A bad telephone line: mains hum with its odd harmonics, hiss, and a crackle now and then. */
export function lineNoise(samples: number, seed: number, sampleRateHz: number): Float64Array {
  const noise = createNoise(seed);
  let crackle = 0;
  return Float64Array.from({ length: samples }, (_, i) => {
    const w = (2 * Math.PI * 50 * i) / sampleRateHz;
    const hum = Math.sin(w) + 0.5 * Math.sin(3 * w) + 0.3 * Math.sin(5 * w) + 0.2 * Math.sin(7 * w);
    crackle = (noise() + 1) / 2 < 4 / sampleRateHz ? 6 * noise() : 0.8 * crackle;
    return hum + 0.8 * noise() + crackle;
  });
}

/** The same sound backwards from several places at once: a room full of people, of whom no word stands out. */
export function babbleOf(
  voices: readonly Int16Array[],
  samples: number,
  seed: number,
): Float64Array {
  const noise = createNoise(seed);
  const sum = new Float64Array(samples);
  for (const pcm of voices) {
    const voice = pcm.toReversed();
    const gain = 1 / Math.sqrt(meanSquare(voice));
    const shift = Math.floor(((noise() + 1) / 2) * voice.length);
    for (let i = 0; i < samples; i++)
      sum[i] = (sum[i] as number) + gain * (voice[(i + shift) % voice.length] as number);
  }
  return sum;
}

export function meanSquare(pcm: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < pcm.length; i++) sum += (pcm[i] as number) ** 2;
  return sum / Math.max(1, pcm.length);
}

/** The noise at this level, dBFS. */
export function noiseAt(noise: Float64Array, levelDb: number): Int16Array {
  const gain = (32_768 * 10 ** (levelDb / 20)) / Math.sqrt(meanSquare(noise));
  return Int16Array.from(noise, (value) =>
    Math.max(-32_768, Math.min(32_767, Math.round(value * gain))),
  );
}
