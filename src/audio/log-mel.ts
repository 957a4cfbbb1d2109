import { createFourier } from './fourier.ts';

/** What a {@link LogMel} takes and gives: the last seconds of a voice, at this rate. */
export const LOG_MEL = { sampleRateHz: 16_000, audioMs: 8000, bands: 80, frames: 800 } as const;

const WINDOW = 400;
const HOP = 160;
const BINS = WINDOW / 2 + 1;
const SAMPLES = (LOG_MEL.sampleRateHz * LOG_MEL.audioMs) / 1000;
/** Powers of ten below the loudest at which values are cut off. */
const RANGE = 8;
const FLOOR = 1e-10;
const VARIANCE_FLOOR = 1e-7;

/** A band's weight of each frequency bin from `from` on. */
interface Band {
  readonly from: number;
  readonly weights: readonly number[];
}

/**
 * Features of a voice as Whisper takes them: `bands` × `frames` (10 ms each), row by row, of the last 8 s of mono
 * PCM16 at 16 kHz. Shorter audio is preceded by silence.
 *
 * The samples are brought to mean 0 and variance 1; then come a Hann window of 25 ms every 10 ms, the power spectrum,
 * 80 triangular bands on Slaney's mel scale, log10 within 8 of the loudest, and (x + 4) / 4. This is what
 * `WhisperFeatureExtractor(chunk_length=8)` of Hugging Face's transformers computes with `do_normalize`.
 */
export type LogMel = (pcm: Int16Array) => Float32Array;

/** Reuses its memory: run one at a time. */
export function createLogMel(): LogMel {
  const fourier = createFourier(WINDOW);
  const hann = Float64Array.from(
    { length: WINDOW },
    (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / WINDOW),
  );
  const bands = melBands();
  const padded = new Float64Array(SAMPLES + WINDOW);
  const re = new Float64Array(WINDOW);
  const im = new Float64Array(WINDOW);
  return (pcm) => {
    const silent = normalise(pcm, padded);
    const out = new Float32Array(LOG_MEL.bands * LOG_MEL.frames);
    // Frames of nothing but the silence in front are all alike: only the last two of them are computed.
    const alike = Math.max(0, 2 * Math.floor((silent - WINDOW) / HOP / 2) - 2);
    // Two frames at a time: one as the real part of the signal, one as the imaginary part.
    for (let frame = alike; frame < LOG_MEL.frames; frame += 2) {
      const at = frame * HOP;
      for (let n = 0; n < WINDOW; n++) {
        re[n] = (padded[at + n] as number) * (hann[n] as number);
        im[n] = (padded[at + HOP + n] as number) * (hann[n] as number);
      }
      fourier(re, im);
      for (const [band, { from, weights }] of bands.entries()) {
        let first = 0;
        let second = 0;
        for (let i = 0; i < weights.length; i++) {
          const k = from + i;
          const mirror = (WINDOW - k) % WINDOW;
          const weight = (weights[i] as number) / 4;
          const [a, b] = [re[k] as number, im[k] as number];
          const [c, d] = [re[mirror] as number, im[mirror] as number];
          first += weight * ((a + c) ** 2 + (b - d) ** 2);
          second += weight * ((b + d) ** 2 + (c - a) ** 2);
        }
        out[band * LOG_MEL.frames + frame] = first;
        out[band * LOG_MEL.frames + frame + 1] = second;
      }
    }
    for (let row = 0; row < out.length; row += LOG_MEL.frames) {
      out.fill(out[row + alike] as number, row, row + alike);
    }
    return compress(out);
  };
}

/**
 * Writes the last 8 s with mean 0 and variance 1, mirrored by half a window at both ends. Returns how many samples at
 * the beginning are silence put in front.
 */
function normalise(pcm: Int16Array, padded: Float64Array): number {
  const tail = pcm.subarray(-SAMPLES);
  const silence = SAMPLES - tail.length;
  let sum = 0;
  let squares = 0;
  for (const sample of tail) {
    sum += sample / 32_768;
    squares += (sample / 32_768) ** 2;
  }
  const mean = sum / SAMPLES;
  const scale = 1 / Math.sqrt(Math.max(0, squares / SAMPLES - mean ** 2) + VARIANCE_FLOOR);
  const edge = WINDOW / 2;
  padded.fill(-mean * scale, 0, edge + silence);
  for (const [i, sample] of tail.entries()) {
    padded[edge + silence + i] = (sample / 32_768 - mean) * scale;
  }
  for (let i = 1; i <= edge; i++) {
    padded[edge - i] = padded[edge + i] as number;
    padded[edge + SAMPLES - 1 + i] = padded[edge + SAMPLES - 1 - i] as number;
  }
  return silence;
}

function compress(powers: Float32Array): Float32Array {
  let loudest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < powers.length; i++) {
    powers[i] = Math.log10(Math.max(FLOOR, powers[i] as number));
    loudest = Math.max(loudest, powers[i] as number);
  }
  return powers.map((log) => (Math.max(log, loudest - RANGE) + 4) / 4);
}

/** Slaney's mel scale: linear up to 1 kHz, logarithmic above. */
const LINEAR_TO_HZ = 1000;
const MEL_OF_1_KHZ = 15;
const LOG_STEP = Math.log(6.4) / 27;

const melOf = (hz: number) =>
  hz < LINEAR_TO_HZ ? (3 * hz) / 200 : MEL_OF_1_KHZ + Math.log(hz / LINEAR_TO_HZ) / LOG_STEP;
const hzOf = (mel: number) =>
  mel < MEL_OF_1_KHZ ? (200 * mel) / 3 : LINEAR_TO_HZ * Math.exp(LOG_STEP * (mel - MEL_OF_1_KHZ));

/** Triangles from one band's neighbour to the other, each of the same area. */
export function melBands(): readonly Band[] {
  const top = LOG_MEL.sampleRateHz / 2;
  const edges = Array.from({ length: LOG_MEL.bands + 2 }, (_, i) =>
    hzOf((melOf(top) * i) / (LOG_MEL.bands + 1)),
  );
  return Array.from({ length: LOG_MEL.bands }, (_, band) => {
    const [low, middle, high] = edges.slice(band, band + 3) as [number, number, number];
    const weights = Array.from({ length: BINS }, (_, k) => {
      const hz = (top * k) / (BINS - 1);
      const slope = Math.min((hz - low) / (middle - low), (high - hz) / (high - middle));
      return (2 / (high - low)) * Math.max(0, slope);
    });
    const from = Math.max(
      0,
      weights.findIndex((weight) => weight > 0),
    );
    return {
      from,
      weights: weights.slice(from, weights.findLastIndex((weight) => weight > 0) + 1),
    };
  });
}
