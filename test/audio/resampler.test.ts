import { describe, expect, test } from 'vitest';
import { createResampler } from '../../src/audio/resampler.ts';

const RATES = [8000, 16000, 22050, 24000, 48000];
const pairs = RATES.flatMap((from) =>
  RATES.filter((to) => to !== from).map((to) => [from, to] as const),
);

function tone(hz: number, rateHz: number, samples: number): Int16Array {
  return Int16Array.from({ length: samples }, (_, i) =>
    Math.round(16000 * Math.sin((2 * Math.PI * hz * i) / rateHz)),
  );
}

/** Least-squares sine of that frequency: its amplitude, phase, and the rest's level against it. */
function fitTone(pcm: Int16Array, hz: number, rateHz: number) {
  const skip = Math.round(rateHz / 50);
  let s = 0;
  let c = 0;
  let power = 0;
  const samples = pcm.subarray(skip, pcm.length - skip);
  for (let i = 0; i < samples.length; i++) {
    const angle = (2 * Math.PI * hz * (i + skip)) / rateHz;
    const sample = samples[i] as number;
    s += sample * Math.sin(angle);
    c += sample * Math.cos(angle);
    power += sample * sample;
  }
  s *= 2 / samples.length;
  c *= 2 / samples.length;
  const amplitude = Math.hypot(s, c);
  const signal = (amplitude * amplitude) / 2;
  const noise = Math.max(power / samples.length - signal, 1e-9);
  return {
    gainDb: 20 * Math.log10(amplitude / 16000),
    delayMs: (Math.atan2(-c, s) / (2 * Math.PI * hz)) * 1000,
    snrDb: 10 * Math.log10(signal / noise),
  };
}

function resample(pcm: Int16Array, from: number, to: number, chunk = from / 50): Int16Array {
  const resampler = createResampler(from, to);
  const parts: Int16Array[] = [];
  for (let i = 0; i < pcm.length; i += chunk)
    parts.push(resampler.process(pcm.subarray(i, i + chunk)));
  parts.push(resampler.flush());
  resampler.close();
  return Int16Array.from(parts.flatMap((part) => [...part]));
}

describe.each(pairs)('%i Hz to %i Hz', (from, to) => {
  test('tones pass within 1 dB, 40 dB above everything else, in time', () => {
    const top = 0.85 * (Math.min(from, to) / 2);
    for (const hz of [100, 440, 1000, 2000, top]) {
      // Whole periods in the 360 ms that are fitted, so that the fit is exact.
      const period = Math.floor(hz / 50) * 50;
      const out = resample(tone(period, from, from / 2), from, to);
      const fit = fitTone(out.subarray(0, to * 0.4), period, to);
      expect(Math.abs(fit.gainDb)).toBeLessThan(1);
      expect(fit.snrDb).toBeGreaterThan(40);
      expect(Math.abs(fit.delayMs)).toBeLessThan(0.05);
    }
  });

  test('a tone the lower rate cannot hold is gone', () => {
    if (to > from) return;
    const out = resample(tone(to * 0.6, from, from / 2), from, to);
    expect(fitTone(out, to * 0.4, to).gainDb).toBeLessThan(-40);
  });

  test('the length follows the rate, however the stream is cut', () => {
    const pcm = tone(440, from, from / 2);
    const whole = resample(pcm, from, to, pcm.length);
    expect(Math.abs(whole.length - to / 2)).toBeLessThanOrEqual(2);
    for (const chunk of [1, 37, 1000]) expect(resample(pcm, from, to, chunk)).toEqual(whole);
  });
});

test('equal rates return the input', () => {
  const pcm = Int16Array.of(1, 2, 3);
  const resampler = createResampler(16000, 16000);
  expect(resampler.process(pcm)).toBe(pcm);
  expect(resampler.flush()).toHaveLength(0);
});

test('after a flush the next stream starts clean, as with a new one', () => {
  const pcm = tone(440, 8000, 800);
  const fresh = createResampler(8000, 16000);
  const used = createResampler(8000, 16000);
  used.process(tone(900, 8000, 800));
  used.flush();
  expect(used.process(pcm)).toEqual(fresh.process(pcm));
  fresh.close();
  used.close();
});

test('opening and closing does not grow the memory', () => {
  const before = process.memoryUsage().rss;
  for (let i = 0; i < 20_000; i++) {
    const resampler = createResampler(48000, 8000);
    resampler.close();
    resampler.close();
  }
  // Left open, so many take 200 MB.
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 2 ** 20);
});

test('a closed one refuses, and so do rates out of range', () => {
  const resampler = createResampler(8000, 16000);
  resampler.close();
  expect(() => resampler.process(Int16Array.of(1))).toThrow(/closed/);
  for (const rate of [0, -8000, 8000.5, Number.NaN, 1e6]) {
    expect(() => createResampler(8000, rate)).toThrow(RangeError);
  }
});
