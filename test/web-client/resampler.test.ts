import { describe, expect, test } from 'vitest';
import { Resampler } from '../../src/web-client/resampler.ts';

function sine(hz: number, rateHz: number, seconds: number): Float32Array {
  return Float32Array.from({ length: rateHz * seconds }, (_, i) =>
    Math.sin((2 * Math.PI * hz * i) / rateHz),
  );
}

function inBlocks(resampler: Resampler, input: Float32Array, block: number): Float32Array {
  const parts: number[] = [];
  for (let i = 0; i < input.length; i += block) {
    parts.push(...resampler.process(input.subarray(i, i + block)));
  }
  return Float32Array.from(parts);
}

/** Level in dB of what differs from the best-fitting sine of this frequency. */
function noiseDb(signal: Float32Array, hz: number, rateHz: number): number {
  let a = 0;
  let b = 0;
  let energy = 0;
  // Half a second: whole periods of any whole frequency.
  const settled = signal.subarray(1000, 1000 + rateHz / 2);
  settled.forEach((sample, i) => {
    const phase = (2 * Math.PI * hz * i) / rateHz;
    a += sample * Math.sin(phase);
    b += sample * Math.cos(phase);
    energy += sample * sample;
  });
  const fitted = (2 * (a * a + b * b)) / settled.length;
  return 10 * Math.log10(Math.max(1e-12, energy - fitted) / energy);
}

describe('the resampler', () => {
  test.each([
    [44_100, 24_000],
    [44_100, 16_000],
    [24_000, 44_100],
    [96_000, 48_000],
    [48_000, 16_000],
  ])('%i to %i Hz keeps a tone clean and the time right', (fromHz, toHz) => {
    const output = inBlocks(new Resampler(fromHz, toHz), sine(1000, fromHz, 1), 128);
    expect(Math.abs(output.length - toHz)).toBeLessThanOrEqual(2);
    expect(noiseDb(output, 1000, toHz)).toBeLessThan(-60);
  });

  test('blocks of any size give the same audio', () => {
    const input = sine(700, 44_100, 0.2);
    const whole = new Resampler(44_100, 24_000).process(input);
    expect([...inBlocks(new Resampler(44_100, 24_000), input, 128)]).toEqual([...whole]);
  });

  test('frequencies above the lower rate’s band are removed', () => {
    const output = new Resampler(44_100, 16_000).process(sine(11_000, 44_100, 0.5)).subarray(500);
    expect(Math.max(...output)).toBeLessThan(0.01);
  });
});
