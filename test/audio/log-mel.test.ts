import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFourier } from '../../src/audio/fourier.ts';
import { createLogMel, LOG_MEL, melBands } from '../../src/audio/log-mel.ts';
import { parseWav } from '../../src/audio/parse-wav.ts';

type Cell = readonly [row: number, column: number, value: number];
interface Features {
  readonly mean: number;
  readonly cells: readonly Cell[];
}

const audio = resolve(import.meta.dirname, '../../fixtures/audio');
/** What the published implementations compute; the file names them. */
const reference = JSON.parse(readFileSync(resolve(audio, 'features/log-mel.json'), 'utf8')) as {
  readonly recording: Features;
  readonly longRecording: Features;
  readonly noise: Features;
  readonly silence: Features;
  readonly filters: readonly Cell[];
};

const recording = (file: string): Int16Array =>
  parseWav(new Uint8Array(readFileSync(resolve(audio, file)))).channels[0];

/** Eight seconds of the noise that the reference was computed from. */
function noise(): Int16Array {
  let state = 1;
  return Int16Array.from({ length: 128_000 }, () => {
    state = (1_664_525 * state + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32 - 0.5) * 12_000);
  });
}

function expectAlike(features: Float32Array, { mean, cells }: Features): void {
  expect(features).toHaveLength(LOG_MEL.bands * LOG_MEL.frames);
  const sum = features.reduce((total, value) => total + value, 0);
  expect(sum / features.length).toBeCloseTo(mean, 5);
  for (const [band, frame, value] of cells) {
    expect(features[band * LOG_MEL.frames + frame], `band ${band}, frame ${frame}`).toBeCloseTo(
      value,
      4,
    );
  }
}

describe('features as Whisper takes them', () => {
  const logMel = createLogMel();

  test('of a recording that is shorter than the window', () => {
    expectAlike(logMel(recording('ask-what-you-can-do.wav')), reference.recording);
  });

  test('of the last eight seconds of a longer one', () => {
    expectAlike(logMel(recording('inaugural-address.wav')), reference.longRecording);
  });

  test('of noise that fills it', () => {
    expectAlike(logMel(noise()), reference.noise);
  });

  test('of silence, and of nothing', () => {
    expectAlike(logMel(new Int16Array(16_000)), reference.silence);
    expect(logMel(new Int16Array(0))).toEqual(logMel(new Int16Array(16_000)));
  });

  test('the bands are those of Slaney', () => {
    const bands = melBands();
    for (const [band, bin, weight] of reference.filters) {
      const { from, weights } = bands[band] as (typeof bands)[number];
      expect(weights[bin - from] ?? 0).toBeCloseTo(weight, 6);
    }
  });
});

describe('the Fourier transform', () => {
  test.each([2, 7, 12, 45, 400])('of %d values is the sum that defines it', (length) => {
    const re = Float64Array.from({ length }, (_, n) => Math.sin(n * n));
    const im = Float64Array.from({ length }, (_, n) => Math.cos(3 * n));
    const sums = Array.from({ length }, (_, k) => {
      let [sumRe, sumIm] = [0, 0];
      for (let n = 0; n < length; n++) {
        const angle = (-2 * Math.PI * k * n) / length;
        const [a, b] = [re[n] as number, im[n] as number];
        sumRe += a * Math.cos(angle) - b * Math.sin(angle);
        sumIm += a * Math.sin(angle) + b * Math.cos(angle);
      }
      return [sumRe, sumIm] as const;
    });
    createFourier(length)(re, im);
    for (const [k, [sumRe, sumIm]] of sums.entries()) {
      expect(re[k]).toBeCloseTo(sumRe, 8);
      expect(im[k]).toBeCloseTo(sumIm, 8);
    }
  });

  test('needs a length', () => {
    expect(() => createFourier(1)).toThrow(RangeError);
  });
});
