import { babbleOf, lineNoise, meanSquare, pinkNoise } from '../../src/audio/room-noise.ts';
import { readRecording, recordings } from './recordings.ts';

export type NoiseKind = 'pink' | 'babble' | 'line';

/** The recordings backwards, eight at a time. */
function babble(samples: number, seed: number, sampleRateHz: number): Float64Array {
  const voices = Array.from({ length: 8 }, (_, n) => {
    const { file } = recordings[(seed + n) % recordings.length] as { file: string };
    return readRecording(file, sampleRateHz);
  });
  return babbleOf(voices, samples, seed);
}

/** Noise of unit power, the same for the same seed. */
export function noise(
  kind: NoiseKind,
  options: { readonly samples: number; readonly sampleRateHz: number; readonly seed: number },
): Float64Array {
  const { samples, sampleRateHz, seed } = options;
  const raw =
    kind === 'pink'
      ? pinkNoise(samples, seed)
      : kind === 'babble'
        ? babble(samples, seed, sampleRateHz)
        : lineNoise(samples, seed, sampleRateHz);
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
