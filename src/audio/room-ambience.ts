import { createNoise } from './seeded-noise.ts';
import { loopOf, type SoundLoop } from './sound-loop.ts';

const RATE_HZ = 16_000;
const LOOP_S = 20;
/** Extra noise at both ends: for the filters to settle, and for the crossfade. */
const SPARE_S = 0.5;

/** One band of the room's noise; its level swells a whole number of times per loop, so that the loop is seamless. */
interface Band {
  readonly lowHz: number;
  readonly highHz: number;
  readonly level: number;
  readonly swells: number;
  readonly depth: number;
}

const BANDS: readonly Band[] = [
  { lowHz: 90, highHz: 260, level: 1, swells: 3, depth: 0.25 },
  { lowHz: 260, highHz: 800, level: 0.7, swells: 5, depth: 0.3 },
  { lowHz: 800, highHz: 2400, level: 0.22, swells: 7, depth: 0.35 },
];

/** The built-in background sound: the air of a quiet office. The same seed gives the same sound. */
export function roomAmbience(seed = 1): SoundLoop {
  const spare = SPARE_S * RATE_HZ;
  const sound = new Float64Array(LOOP_S * RATE_HZ + spare);
  for (const [index, band] of BANDS.entries()) addBand(sound, band, createNoise(seed * 31 + index));
  const pcm = Int16Array.from(sound.subarray(spare / 2), (value) => Math.round(value * 8000));
  const loop = loopOf(pcm, RATE_HZ);
  if (!loop) throw new Error('the ambience came out silent');
  return loop;
}

function addBand(sound: Float64Array, band: Band, noise: () => number): void {
  const { lowHz, highHz, level, swells, depth } = band;
  const fast = smoothing(highHz);
  const slow = smoothing(lowHz);
  const turn = (2 * Math.PI * swells) / (LOOP_S * RATE_HZ);
  let once = 0;
  let twice = 0;
  let below = 0;
  for (let i = 0; i < sound.length; i++) {
    once += fast * (noise() - once);
    twice += fast * (once - twice);
    below += slow * (twice - below);
    const swell = 1 + depth * Math.sin(turn * i + highHz);
    sound[i] = (sound[i] as number) + level * swell * (twice - below);
  }
}

/** Coefficient of a one-pole low pass with this corner frequency. */
function smoothing(cornerHz: number): number {
  return 1 - Math.exp((-2 * Math.PI * cornerHz) / RATE_HZ);
}
