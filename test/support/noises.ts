import { readRecording, recordings } from './recordings.ts';

export type NoiseKind = 'pink' | 'babble' | 'line';

/** Mulberry32: the same noise on every machine. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Equal power in each octave: Kellet's sum of one-pole filters. */
function pink(samples: number, seed: number): Float64Array {
  const random = createRandom(seed);
  const poles = [0.99886, 0.99332, 0.969, 0.8665, 0.55, -0.7616];
  const gains = [0.0555179, 0.0750759, 0.153852, 0.3104856, 0.5329522, -0.016898];
  const state = poles.map(() => 0);
  return Float64Array.from({ length: samples }, () => {
    const white = 2 * random() - 1;
    let sum = 0.5362 * white;
    for (const [i, pole] of poles.entries()) {
      state[i] = pole * (state[i] as number) + (gains[i] as number) * white;
      sum += state[i] as number;
    }
    return sum;
  });
}

/** A room full of people: the recordings backwards, eight at a time, so that no word stands out. */
function babble(samples: number, seed: number, sampleRateHz: number): Float64Array {
  const random = createRandom(seed);
  const sum = new Float64Array(samples);
  for (let n = 0; n < 8; n++) {
    const { file } = recordings[(seed + n) % recordings.length] as { file: string };
    const voice = readRecording(file, sampleRateHz).toReversed();
    const gain = 1 / Math.sqrt(meanSquare(voice));
    const shift = Math.floor(random() * voice.length);
    for (let i = 0; i < samples; i++)
      sum[i] = (sum[i] as number) + gain * (voice[(i + shift) % voice.length] as number);
  }
  return sum;
}

/** A bad telephone line: mains hum with its odd harmonics, hiss, and a crackle now and then. */
function line(samples: number, seed: number, sampleRateHz: number): Float64Array {
  const random = createRandom(seed);
  let crackle = 0;
  return Float64Array.from({ length: samples }, (_, i) => {
    const w = (2 * Math.PI * 50 * i) / sampleRateHz;
    const hum = Math.sin(w) + 0.5 * Math.sin(3 * w) + 0.3 * Math.sin(5 * w) + 0.2 * Math.sin(7 * w);
    crackle = random() < 4 / sampleRateHz ? 6 * (2 * random() - 1) : 0.8 * crackle;
    return hum + 0.8 * (2 * random() - 1) + crackle;
  });
}

export function meanSquare(pcm: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < pcm.length; i++) sum += (pcm[i] as number) ** 2;
  return sum / Math.max(1, pcm.length);
}

/** Noise of unit power, the same for the same seed. */
export function noise(
  kind: NoiseKind,
  options: { readonly samples: number; readonly sampleRateHz: number; readonly seed: number },
): Float64Array {
  const { samples, sampleRateHz, seed } = options;
  const raw =
    kind === 'pink'
      ? pink(samples, seed)
      : kind === 'babble'
        ? babble(samples, seed, sampleRateHz)
        : line(samples, seed, sampleRateHz);
  const gain = 1 / Math.sqrt(meanSquare(raw));
  return raw.map((sample) => sample * gain);
}

/** `speech` under noise so loud that the voiced part of it, of mean square `voicedPower`, is `snrDb` above. */
export function underNoise(
  speech: Int16Array,
  voicedPower: number,
  snrDb: number,
  unitNoise: Float64Array,
): Int16Array {
  const gain = Math.sqrt(voicedPower / 10 ** (snrDb / 10));
  return speech.map((sample, i) =>
    Math.max(-32_768, Math.min(32_767, Math.round(sample + gain * (unitNoise[i] as number)))),
  );
}
